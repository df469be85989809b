package dev.pgkq.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/** A master and two workers on this machine, each in its own process, started with the script that users run. */
final class StandaloneCluster {
    private final Path place;
    private final String address;

    private StandaloneCluster(Path place, String address) {
        this.place = place;
        this.address = address;
    }

    private static final class Shared {
        static final StandaloneCluster CLUSTER = start();
    }

    /** The cluster for all tests, which use it one after the other; started when the first one needs it. */
    static StandaloneCluster shared() {
        return Shared.CLUSTER;
    }

    static StandaloneCluster start() {
        try {
            Path place = Files.createTempDirectory("cluster");
            script(place, "start", "--port", "0");
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(place)));
            return new StandaloneCluster(
                    place, Files.readString(place.resolve("address")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static void stop(Path place) {
        try {
            script(place, "stop");
        } catch (IOException | InterruptedException e) {
            e.printStackTrace();
        }
    }

    private static void script(Path place, String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("sh", "../cluster"));
        command.addAll(Arrays.asList(words));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PGKQ_CLUSTER", place.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Path output = Files.createTempFile("cluster", ".txt");
        Process process = builder.redirectOutput(output.toFile()).start();
        assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(Files.readString(output)).isZero();
        Files.delete(output);
    }

    void stop() {
        stop(place);
    }

    /** The value of --cluster. */
    String address() {
        return address;
    }

    /** The setting that trains on it. */
    String setting() {
        return "cluster=" + address;
    }

    /** The JVMs that run tasks now. */
    List<ProcessHandle> executors() {
        try (Stream<Path> files = Files.list(place)) {
            return files.filter(file -> file.getFileName().toString().matches("worker-.*\\.pid"))
                    .map(StandaloneCluster::pid)
                    .flatMap(pid -> ProcessHandle.of(pid).stream())
                    .flatMap(ProcessHandle::descendants)
                    .filter(ProcessHandle::isAlive)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long pid(Path file) {
        try {
            return Long.parseLong(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void signal(ProcessHandle process, String signal) {
        try {
            new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static void await(BooleanSupplier condition) throws InterruptedException {
        Instant until = Instant.now().plus(Duration.ofMinutes(4));
        while (!condition.getAsBoolean()) {
            assertThat(Instant.now()).as("gave up waiting").isBefore(until);
            Thread.sleep(10);
        }
    }
}
