package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The dashboard from the command line: a process that is started, queried and stopped. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "there is no SIGTERM")
class ServeCommandTest {
    private static final Pattern ADDRESS = Pattern.compile("dashboard: (http://127\\.0\\.0\\.1:(\\d+)/)");

    @TempDir
    private Path folder = Path.of("");

    private static String awaitAddress(Path log, Process process) throws Exception {
        while (true) {
            Matcher matcher = ADDRESS.matcher(Files.exists(log) ? Files.readString(log) : "");
            if (matcher.find()) {
                return matcher.group(1);
            }
            assertThat(process.isAlive())
                    .as(() -> "it ended without an address: " + log)
                    .isTrue();
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static String get(String address) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    @Test
    void servesUntilItIsStoppedAndShowsARunThatBeginsMeanwhile() throws Exception {
        Path log = folder.resolve("log.txt");
        Path runs = Files.createDirectory(folder.resolve("runs"));
        Process server = Tool.start(log, "serve", runs.toString(), "--port", "0");
        try {
            String address = awaitAddress(log, server);
            assertThat(get(address + "api/runs")).isEqualTo("[]");
            assertThat(Tool.run(
                                    "train",
                                    "--env",
                                    "Pendulum-v1",
                                    "--batch",
                                    "4",
                                    "--select",
                                    "2",
                                    "--iterations",
                                    "1",
                                    "--out",
                                    runs.resolve("first").toString())
                            .exitCode())
                    .isZero();
            while (!get(address + "api/runs").contains("\"finished\"")) {
                TimeUnit.MILLISECONDS.sleep(100);
            }
            server.destroy();
            assertThat(server.waitFor()).isZero();
            assertThat(Files.readString(log)).contains("no runs in", "train --env", "closing");
            assertThat(Files.readString(log)).doesNotContain("SLF4J").doesNotContain("Exception");
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    @Tag("slow")
    void trainingShowsItselfAndTakesTheNextPortIfTheUsualIsTaken() throws Exception {
        Path log = folder.resolve("log.txt");
        try (ServerSocket taken = occupyUsualPort()) {
            Process training = Tool.start(
                    log,
                    "train",
                    "--env",
                    "Pendulum-v1",
                    "--batch",
                    "4",
                    "--select",
                    "2",
                    "--iterations",
                    "100000",
                    "--dashboard",
                    "--out",
                    folder.resolve("run").toString());
            try {
                String address = awaitAddress(log, training);
                assertThat(address).doesNotEndWith(":" + taken.getLocalPort() + "/");
                String told = get(address + "api/runs");
                while (!told.contains("\"iteration\":") || told.contains("\"iteration\":null")) {
                    assertThat(training.isAlive()).isTrue();
                    TimeUnit.MILLISECONDS.sleep(100);
                    told = get(address + "api/runs");
                }
                assertThat(told).contains("\"state\":\"running\"", "\"name\":\"run\"");
                training.destroy();
                assertThat(training.waitFor()).isEqualTo(ExitCode.STOPPED.code());
            } finally {
                training.destroyForcibly();
            }
        }
    }

    /** The ledger named for training may be shown by the same command, but not by a separate {@code serve}. */
    @Test
    @Tag("slow")
    void trainingShowsItsOwnLedgerWhereverItIs() throws Exception {
        Path log = folder.resolve("log.txt");
        Path run = folder.resolve("run");
        Path ledger = folder.resolve("shared.db");
        Process training = Tool.start(
                log,
                "train",
                "--env",
                "Pendulum-v1",
                "--batch",
                "4",
                "--select",
                "2",
                "--iterations",
                "100000",
                "--reward",
                "exec:sh -c 'cat >/dev/null; echo {\\\"return\\\": 1, \\\"cost\\\": 0.5}'",
                "--reward-per",
                "episode",
                "--ledger",
                ledger.toString(),
                "--dashboard-port",
                "0",
                "--out",
                run.toString());
        try {
            String address = awaitAddress(log, training);
            while (!get(address + "api/runs/run/ledger").matches(".*\"done\":[1-9].*")) {
                assertThat(training.isAlive()).as(() -> read(log)).isTrue();
                TimeUnit.MILLISECONDS.sleep(100);
            }
            Path served = folder.resolve("serve.txt");
            Process server = Tool.start(served, "serve", run.toString(), "--port", "0");
            try {
                assertThat(get(awaitAddress(served, server) + "api/runs/run/ledger"))
                        .isEqualTo("{\"elsewhere\":\"" + ledger + "\"}");
            } finally {
                server.destroyForcibly();
            }
        } finally {
            training.destroyForcibly();
        }
    }

    private static String read(Path log) {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** Occupies the usual port, unless another process has it already, which serves the test as well. */
    private static ServerSocket occupyUsualPort() throws Exception {
        try {
            return new ServerSocket(8765, 1, InetAddress.getByName("127.0.0.1"));
        } catch (BindException e) {
            return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
        }
    }

    @Test
    void whatIsWrongIsTold() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            Tool.Result result = Tool.run("serve", folder.toString(), "--port", Integer.toString(taken.getLocalPort()));
            assertThat(result.exitCode()).isEqualTo(2);
            assertThat(result.err()).contains("cannot listen at 127.0.0.1:" + taken.getLocalPort(), "--port");
            Tool.Result train = Tool.run(
                    "train",
                    "--env",
                    "Pendulum-v1",
                    "--out",
                    folder.resolve("run").toString(),
                    "--dashboard-port",
                    Integer.toString(taken.getLocalPort()));
            assertThat(train.exitCode()).isEqualTo(2);
            assertThat(folder.resolve("run")).doesNotExist();
        }
        assertThat(Tool.run("serve", folder.resolve("none").toString()).err()).contains("does not exist");
        assertThat(Tool.run("serve", folder.toString(), "--port", "70000").err())
                .contains("--port needs a number from 0 to 65535");
        assertThat(Tool.run("serve", folder.toString(), "--host", "not a host").err())
                .contains("--host not a host");
    }
}
