package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import dev.pgkq.gym.TestPython;
import dev.pgkq.reward.EpisodeReward;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class RewardTryCommandTest {
    @TempDir
    private Path folder = Path.of("");

    /** Tries a program that records its calls and prints this. */
    private Tool.Result tried(String answer, String... options) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(
                script, "cat >/dev/null; echo x >>" + folder.resolve("calls") + "; echo '" + answer + "'\n", UTF_8);
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"reward", "try", "exec:sh " + script, "--env", "Pendulum-v1"}, 0, args, 0, 5);
        System.arraycopy(options, 0, args, 5, options.length);
        return Tool.run(args);
    }

    private int calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).size();
    }

    @Test
    void anAnswerIsShownWithWhatTrainingMakesOfIt() throws IOException {
        Tool.Result result = tried("{\"return\": 7.5, \"cost\": 0.25, \"note\": \"fine\"}");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("Pendulum-v1, policy before training: 200 steps, truncated")
                .contains("bytes of JSON", "(200 × 3)")
                .contains("7.50 for the whole episode", "cost 0.25", "fine")
                .contains("--reward-per auto, the default, settles on episode", "try --count 3")
                .contains("and cost 25");
        assertThat(calls()).isOne();
    }

    @Test
    void equalNumbersAreAWarning() throws IOException {
        assertThat(tried("{\"return\": 7}", "--count", "2").out())
                .contains("nothing can be learned from equal rewards");
        assertThat(calls()).isEqualTo(2);
    }

    /** Every call may cost money. */
    @Test
    void aWrongAnswerIsNotAskedForAgain() throws IOException {
        Tool.Result result = tried("{\"score\": 7}", "--count", "5");
        assertThat(result.exitCode()).isEqualTo(ExitCode.INCOMPLETE.code());
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("has neither \"rewards\" nor \"return\"")
                .contains("expected {\"return\": 7.5}, or {\"rewards\": [0.5, …]} with 200 numbers")
                .contains("got “{\"score\": 7}”");
        assertThat(calls()).isOne();
    }

    @Test
    void theRequestCanBeSaved() throws IOException {
        Path saved = folder.resolve("request.json");
        tried("{\"return\": 7}", "--save", saved.toString());
        assertThat(new JsonMapper()
                        .readTree(Files.readAllBytes(saved))
                        .path("length")
                        .asInt())
                .isEqualTo(200);
    }

    @Test
    void aServiceAndAClassAreTriedAsAProgramIs() throws IOException {
        HttpServer service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            exchange.getRequestBody().readAllBytes();
            byte[] answer = "{\"return\": 7.5}".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        service.start();
        try {
            String address = "http://localhost:" + service.getAddress().getPort() + "/";
            Tool.Result result = Tool.run("reward", "try", address, "--env", "Pendulum-v1");
            assertThat(result.exitCode()).as(result.err()).isZero();
            assertThat(result.out()).contains("7.50 for the whole episode");
        } finally {
            service.stop(0);
        }
        Tool.Result result = Tool.run("reward", "try", "java:" + Length.class.getName(), "--env", "Pendulum-v1");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(result.out()).contains("200", "for the whole episode");
    }

    /** The number of steps. */
    public static final class Length implements EpisodeReward.OfWhole {
        @Override
        public double reward(Episode episode, EnvironmentSpec spec) {
            return episode.length();
        }
    }

    /** On the page of a run in the current folder, with the options of its environment. */
    @Test
    void peopleAreAskedOnThePageOfARun() throws Exception {
        Path runs = folder.resolve("runs");
        Path film = Path.of("src", "test", "resources", "python", "filmed.py");
        Files.copy(film, folder.resolve("filmed.py"));
        List<String> words = new ArrayList<>(Tool.command());
        words.addAll(List.of("reward", "try", "human", "--env", "python:filmed:Film", "--count", "2", "--frames", "3"));
        words.addAll(List.of("--python", TestPython.withGymnasium(), "--env-args", "{\"reward\": 1}"));
        Path log = folder.resolve("log.txt");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            Path run = awaitRun(runs, process);
            try (QuickRater ann = QuickRater.of(run)) {
                assertThat(process.waitFor()).as(Files.readString(log)).isZero();
                assertThat(ann.shown()).hasSize(2).allMatch(QuickRater.Shown::pictures);
            }
            assertThat(Metrics.read(run.resolve("metrics.csv")).column("paid_return"))
                    .containsExactly(1.5);
        } finally {
            process.destroyForcibly();
        }
    }

    private static Path awaitRun(Path runs, Process process) throws IOException, InterruptedException {
        while (!process.waitFor(50, TimeUnit.MILLISECONDS)) {
            if (Files.isDirectory(runs)) {
                try (var folders = Files.list(runs)) {
                    Optional<Path> run = folders.findFirst();
                    if (run.isPresent()) {
                        return run.get();
                    }
                }
            }
        }
        return runs.resolve("none");
    }

    /** Programs ignore SIGINT, which a terminal sends to all of them: pgkq ends them. */
    @ParameterizedTest
    @CsvSource({"INT, exec", "TERM, exec", "HUP, exec", "INT, python", "TERM, python"})
    void aTrialThatIsStoppedLeavesNoProcess(String signal, String kind) throws Exception {
        Path begun = folder.resolve("begun");
        Files.writeString(folder.resolve("slow.sh"), "echo $$ >" + begun + "; sleep 1000\n");
        Files.writeString(
                folder.resolve("slow.py"),
                "import os, time\ndef score(episode):\n    print(os.getpid(), file=open('" + begun
                        + "', 'w'), flush=True)\n    time.sleep(1000)\n");
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "perl resets signals");
        // signals that are ignored here would be ignored there, too
        List<String> words =
                new ArrayList<>(List.of("perl", "-e", "setpgrp; $SIG{INT} = $SIG{HUP} = 'DEFAULT'; exec @ARGV or die"));
        words.addAll(Tool.command());
        words.addAll(List.of("reward", "try", kind.equals("exec") ? "exec:sh slow.sh" : "python:slow:score"));
        words.addAll(List.of("--env", "Pendulum-v1"));
        Path log = folder.resolve("log.txt");
        Process process = new ProcessBuilder(words)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        while (!Files.exists(begun) || Files.size(begun) == 0) {
            assertThat(process.waitFor(50, TimeUnit.MILLISECONDS))
                    .as(Files.readString(log))
                    .isFalse();
        }
        ProcessHandle judge = ProcessHandle.of(
                        Long.parseLong(Files.readString(begun).strip()))
                .orElseThrow();
        assertThat(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
        try {
            assertThat(process.waitFor()).as(Files.readString(log)).isEqualTo(ExitCode.STOPPED.code());
            // its parent is gone, and the system may remove it from the process table a little later
            assertThat(judge.onExit()).succeedsWithin(Duration.ofSeconds(30));
            assertThat(Files.readString(log).replaceAll("\\s+", " "))
                    .contains("the evaluation is cancelled, and processes that it started are ended")
                    .doesNotContain("failed");
        } finally {
            judge.destroyForcibly();
        }
    }

    @Test
    void whatCostsNothingNeedsNoTrial() {
        Tool.Result result = Tool.run("reward", "try", "rating");
        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(result.err()).contains("rating is computed by the task");
        assertThat(Tool.run("reward", "try", "nothing").err()).contains("HOW needs one of builtin");
        assertThat(Tool.run("reward").err()).contains("pgkq reward try");
    }
}
