package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.rewards.request.RequestJson;
import dev.pgkq.rewards.request.TestRequests;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs of {@code examples/rewards} as their first lines describe. */
@Timeout(120)
class ExampleRewardsTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "rewards");

    /** The environment gets the actions 0, 2.5, 7.5, 10: 1 − 0.1 a² − 0.1 (a − before)². */
    private static final double[] REWARDS = {1, 1 - 0.625 - 0.625, 1 - 5.625 - 2.5, 1 - 10 - 0.625};

    @TempDir
    Path folder;

    private EvaluatorSettings settings() {
        return EvaluatorSettings.defaults("run", folder.resolve("run"))
                .withPolling(new EvaluatorSettings.Polling(Duration.ofMillis(5), Duration.ofSeconds(30)));
    }

    private static void assumePython() {
        boolean there = Pattern.compile(File.pathSeparator, Pattern.LITERAL)
                .splitAsStream(System.getenv().getOrDefault("PATH", ""))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "python3")));
        Assumptions.assumeTrue(there, "no python3 on the PATH; install the package python3 (apt install python3)");
    }

    private static void assertScored(Reply answer) {
        assertThat(answer.grain()).isEqualTo(Grain.STEP);
        assertThat(answer.values()).containsExactly(REWARDS, offset(1e-9));
        assertThat(answer.cost()).hasValue(0);
        assertThat(answer.note()).hasValue("episode run/3/2");
    }

    @Test
    void scorePy() throws Exception {
        assumePython();
        try (Evaluator evaluator = Evaluators.open("exec:python3 ../examples/rewards/score.py", settings())) {
            assertScored(evaluator.evaluate(TestRequests.ask(2)));
            assertThat(evaluator.evaluate(TestRequests.ask(1, 0)).values()).isEmpty();
        }
        assertThat(folder.resolve("run/oracle/key-2.1.stderr")).hasContent("scoring run/3/2\n");
    }

    @Test
    void scoreSh() throws Exception {
        try (Evaluator evaluator = Evaluators.open("exec:sh ../examples/rewards/score.sh", settings())) {
            Reply answer = evaluator.evaluate(TestRequests.ask(2));
            assertThat(answer.grain()).isEqualTo(Grain.EPISODE);
            assertThat(answer.total()).isCloseTo(4 - 0.1 * (6.25 + 56.25 + 100), offset(1e-6));
            assertThat(evaluator.evaluate(TestRequests.ask(1, 0)).total()).isZero();
        }
    }

    /** Some tools do not accept a line of half a megabyte. */
    @Test
    void scoreShTakesALongEpisode() throws Exception {
        EnvironmentSpec spec = EnvironmentSpec.symmetric(17, 6, 1, 18, 1000);
        int length = spec.maxSteps();
        float[] actions = new float[length * spec.actionSize()];
        float[] observations = new float[length * spec.observationSize()];
        double[] states = new double[(length + 1) * spec.stateSize()];
        double squares = 0;
        for (int i = 0; i < actions.length; i++) {
            actions[i] = (float) Math.sin(i) * 1.5f;
            squares += Math.pow(Math.clamp(actions[i], -1f, 1f), 2);
        }
        Arrays.setAll(states, Math::cos);
        Episode episode = new Episode(0, 0, length, observations, actions, new float[length], states, Ending.TRUNCATED);
        Request request = new Request("long", "Cheetah-v0", 0, 1, spec, episode);
        assertThat(RequestJson.write("run", request)).hasSizeGreaterThan(500_000);
        try (Evaluator evaluator = Evaluators.open("exec:sh ../examples/rewards/score.sh", settings())) {
            assertThat(evaluator.evaluate(request).total()).isCloseTo(length - 0.1 * squares, offset(1e-3));
        }
    }

    @Test
    void servicePy() throws Exception {
        assumePython();
        ProcessBuilder builder =
                new ProcessBuilder("python3", EXAMPLES.resolve("service.py").toString(), "--port", "0");
        builder.environment().put("PGKQ_REWARD_TOKEN", "some-secret");
        builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
        builder.redirectError(folder.resolve("service.log").toFile());
        Process service = builder.start();
        try (BufferedReader out = service.inputReader()) {
            String address = out.readLine().replace("listening on ", "");
            Map<String, String> environment = Map.of("PGKQ_REWARD_TOKEN", "some-secret");
            try (Evaluator evaluator = Evaluators.open(address, settings().withEnvironment(environment))) {
                assertScored(evaluator.evaluate(TestRequests.ask(2)));
                // The same key means the same request, whatever else it contains
                Request again = new Request("key-2", "Other-v0", 9, 2, TestRequests.SPEC, TestRequests.episode(5, 4));
                assertScored(evaluator.evaluate(again));
                patiently(evaluator);
            }
            try (Evaluator stranger = Evaluators.open(address, settings().withEnvironment(Map.of()))) {
                assertThatThrownBy(() -> stranger.evaluate(TestRequests.ask(2)))
                        .hasMessageContaining("wrong token")
                        .hasMessageContaining("which is not set");
            }
        } finally {
            service.destroyForcibly().waitFor();
        }
    }

    /** More requests than the service handles at a time. */
    private static void patiently(Evaluator evaluator) throws Exception {
        RetryingEvaluator patient = new RetryingEvaluator(evaluator, RetryPolicy.defaults(), AttemptListener.NONE);
        List<Background> all = new ArrayList<>();
        for (int i = 10; i < 26; i++) {
            all.add(Background.evaluate(patient, TestRequests.ask(i)));
        }
        for (Background each : all) {
            assertThat(each.answer().values()).containsExactly(REWARDS, offset(1e-9));
        }
    }

    @Test
    void workerSh() throws Exception {
        assumePython();
        Path box = folder.resolve("box");
        try (Evaluator evaluator = Evaluators.open("files:" + box, settings())) {
            Background good = Background.evaluate(evaluator, TestRequests.ask(2));
            Background other = Background.evaluate(evaluator, TestRequests.ask(3));
            Background.await("requests", () -> count(box.resolve("requests")) == 2);
            work(box, "python3", EXAMPLES.resolve("score.py").toString());
            assertScored(good.answer());
            other.answer();

            Background bad = Background.evaluate(evaluator, TestRequests.ask(4));
            Background.await("request", () -> count(box.resolve("requests")) == 1);
            work(box, "sh", "-c", "echo no licence >&2; exit 5");
            assertThatThrownBy(bad::answer).hasMessageContaining("no licence / exit code 5");
        }
        assertThat(count(box.resolve("requests"))).isZero();
        assertThat(count(box.resolve("answers"))).isZero();
        work(box, "false"); // nothing to do
    }

    private static void work(Path box, String... command) throws IOException, InterruptedException {
        List<String> words =
                new ArrayList<>(List.of("sh", EXAMPLES.resolve("worker.sh").toString(), box.toString()));
        words.addAll(List.of(command));
        Process worker = new ProcessBuilder(words).inheritIO().start();
        assertThat(worker.waitFor()).isZero();
    }

    private static int count(Path place) {
        String[] names = place.toFile().list((in, name) -> !name.startsWith("."));
        return names == null ? 0 : names.length;
    }
}
