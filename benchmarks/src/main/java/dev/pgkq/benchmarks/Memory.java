package dev.pgkq.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Peak memory of a training run with large batches, in its own process with the launcher's JVM flags. Linux records the peak of
 * the resident set, which is read until the process has ended.
 */
final class Memory implements Benchmark {
    private static final String WHAT = "peak memory of training HalfCheetah-v4, ppo-large, N = 64";
    private static final double TARGET_GIGABYTES = 1.5;
    private static final String TARGET = "≤ 1.5 GB";
    private static final long POLL_MILLIS = 20;
    private static final String PEAK = "VmHWM:";

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public String doing() {
        return "the peak memory of a training run (half a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        if (!Files.exists(Path.of("/proc/self/status"))) {
            return List.of(Row.notMeasured(WHAT, TARGET, "only Linux reports the peak"));
        }
        try {
            Path folder = Scratch.folder();
            try {
                return List.of(row(train(folder.resolve("run"), effort == Effort.FULL ? 5 : 3)));
            } finally {
                Scratch.remove(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Row row(long peakBytes) {
        double gigabytes = peakBytes * 1e-9;
        return new Row(
                WHAT,
                String.format(Locale.ROOT, "%.2f GB", gigabytes),
                "",
                "",
                TARGET,
                gigabytes <= TARGET_GIGABYTES ? "met" : "missed");
    }

    private static long train(Path run, int iterations) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "dev.pgkq.app.Main", "train"));
        command.addAll(List.of("--env", "HalfCheetah-v4", "--algo", "ppo-large", "--batch", "64"));
        command.addAll(List.of("--iterations", Integer.toString(iterations), "--out", run.toString()));
        Path log = run.resolveSibling("log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        long peak = 0;
        Path status = Path.of("/proc", Long.toString(process.pid()), "status");
        try {
            do {
                peak = Math.max(peak, peakBytes(status).orElse(0));
            } while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        if (process.exitValue() != 0) {
            throw new IllegalStateException("the training run failed: " + Files.readString(log));
        }
        return peak;
    }

    /** The peak so far; empty if the process has ended. */
    private static OptionalLong peakBytes(Path status) {
        try (Stream<String> lines = Files.lines(status)) {
            return lines.filter(line -> line.startsWith(PEAK))
                    .mapToLong(line -> 1024 * Long.parseLong(line.replaceAll("[^0-9]", "")))
                    .findFirst();
        } catch (IOException | UncheckedIOException e) {
            return OptionalLong.empty();
        }
    }
}
