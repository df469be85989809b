package dev.pgkq.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The machine of the measurements and its load by other processes, as far as the system reports them; Linux does. */
final class Machine {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final Path CPU_TIMES = Path.of("/proc/stat");
    /** The unit of /proc/stat, which is part of Linux's interface. */
    private static final double TICK_SECONDS = 0.01;

    private Machine() {}

    /** For example "2 cores, AMD EPYC, Linux, Java 25.0.1, load average 0.3 at the start". */
    static String describe() {
        return Runtime.getRuntime().availableProcessors() + " cores, "
                + processor().orElse("unknown processor") + ", " + System.getProperty("os.name") + ", Java "
                + Runtime.version() + ", load average "
                + cores(ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()) + " at the start";
    }

    private static Optional<String> processor() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Measures the load by other processes from its creation on. */
    static final class LoadMeter {
        private final long start = System.nanoTime();
        private final OptionalDouble busy = busySeconds();
        private final double own = ownSeconds();

        /** The mean number of cores that other processes kept busy; empty except on Linux. */
        OptionalDouble busyCores() {
            OptionalDouble now = busySeconds();
            if (busy.isEmpty() || now.isEmpty()) {
                return OptionalDouble.empty();
            }
            double elapsed = (System.nanoTime() - start) * 1e-9;
            double others = now.getAsDouble() - busy.getAsDouble() - (ownSeconds() - own);
            return OptionalDouble.of(Math.max(0, others / elapsed));
        }
    }

    /** CPU seconds of all threads of this process. */
    static double ownSeconds() {
        return ProcessHandle.current()
                .info()
                .totalCpuDuration()
                .map(duration -> duration.toNanos() * 1e-9)
                .orElse(0.0);
    }

    /** Seconds of user, nice, system, interrupt and stolen time. */
    private static OptionalDouble busySeconds() {
        try (Stream<String> lines = Files.lines(CPU_TIMES)) {
            return lines.filter(line -> line.startsWith("cpu "))
                    .mapToDouble(Machine::busySeconds)
                    .findFirst();
        } catch (IOException e) {
            return OptionalDouble.empty();
        }
    }

    static double busySeconds(String line) {
        String[] fields = line.strip().split("\\s+", -1);
        double ticks = 0;
        for (int i = 1; i < Math.min(fields.length, 9); i++) {
            boolean idle = i == 4 || i == 5;
            ticks += idle ? 0 : Long.parseLong(fields[i]);
        }
        return ticks * TICK_SECONDS;
    }

    static String cores(double count) {
        return String.format(Locale.ROOT, "%.1f", count);
    }
}
