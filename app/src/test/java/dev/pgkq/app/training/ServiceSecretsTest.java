package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.pgkq.app.Tool;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A whole run whose rewards come from a service with a key in its address, which the service repeats when it fails. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no POSIX permissions")
class ServiceSecretsTest {
    private static final String SECRET = "hush-hush";

    @TempDir
    private Path folder = Path.of("");

    private HttpServer service;

    @BeforeEach
    void start() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger calls = new AtomicInteger();
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            boolean fails = calls.incrementAndGet() == 2;
            String answer = fails ? "cannot answer " + exchange.getRequestURI() : "{\"return\": " + calls + "}";
            exchange.sendResponseHeaders(fails ? 500 : 200, answer.getBytes(UTF_8).length);
            exchange.getResponseBody().write(answer.getBytes(UTF_8));
            exchange.close();
        });
        service.start();
    }

    @AfterEach
    void stop() {
        service.stop(0);
    }

    @Test
    void theKeyIsInTheSettingsAloneWhichOnlyTheOwnerCanRead() throws IOException {
        String address = "http://localhost:" + service.getAddress().getPort() + "/score?code=" + SECRET;
        Path run = folder.resolve("run");
        String[] train = {
            "train",
            "--env",
            "Pendulum-v1",
            "--batch",
            "4",
            "--select",
            "2",
            "--iterations",
            "2",
            "--threads",
            "1",
            "--reward",
            address,
            "--reward-per",
            "episode",
            "--out",
            run.toString()
        };
        Tool.Result trained = Tool.run(train);
        assertThat(trained.exitCode()).as(trained.err()).isZero();
        Tool.Result plotted = Tool.run(
                "plot", run.toString(), "--out", folder.resolve("report").toString());
        assertThat(plotted.exitCode()).as(plotted.err()).isZero();
        Tool.Result other = Tool.run(
                "train", "--resume", "--out", run.toString(), "--reward", address.replace(SECRET, SECRET + "-2"));
        assertThat(other.exitCode()).isEqualTo(2);
        Tool.Result evaluated = Tool.run("evaluate", run.toString(), "--episodes", "2");
        Tool.Result ledger = Tool.run("ledger", run.toString());

        String shown = trained.out()
                + trained.err()
                + plotted.out()
                + plotted.err()
                + other.out()
                + other.err()
                + evaluated.out()
                + evaluated.err()
                + ledger.out()
                + ledger.err();
        assertThat(shown).contains("/score?").doesNotContain(SECRET);
        assertThat(Files.readString(run.resolve("events.jsonl"))).contains("cannot answer /score?•••");
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile).filter(ServiceSecretsTest::hasSecret))
                    .containsExactly(run.resolve("config.yaml"));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(run.resolve("config.yaml"))))
                .isEqualTo("rw-------");
    }

    private static boolean hasSecret(Path file) {
        try {
            return new String(Files.readAllBytes(file), UTF_8).contains(SECRET);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
