package dev.pgkq.gym;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentChecker;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recorder;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Environments in Python as tasks: the episodes are those that Python plays by itself. */
class PythonTasksTest {
    private static final Path PYTHON =
            Path.of("src", "test", "resources", "python").toAbsolutePath();
    private static final long SEED = 7;

    @TempDir
    private Path folder = Path.of("");

    static PythonSettings settings() {
        return PythonSettings.defaults().withInterpreter(TestPython.withGymnasium());
    }

    /** A task of a module below the working directory. */
    static Task own(String module, String factory, PythonSettings settings) {
        return PythonTasks.task("python:" + PYTHON_PACKAGE + module + ":" + factory, settings);
    }

    static final String PYTHON_PACKAGE = "src.test.resources.python.";

    static List<Episode> sample(Task task, int threads, int count) {
        Policy policy = Policy.initialize(task.spec(), 1);
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, SEED, RolloutMode.TRAINING, workers)) {
            return rollouts.sample(policy, 1, count);
        }
    }

    private static void same(List<Episode> some, List<Episode> others) {
        assertThat(some).usingRecursiveComparison().isEqualTo(others);
    }

    @ParameterizedTest
    @ValueSource(strings = {"CartPole-v1", "Pendulum-v1"})
    void episodesOfGymnasiumAreThoseThatPythonPlays(String id) throws IOException {
        Task task = PythonTasks.task("gym:" + id, settings());
        EnvironmentSpec spec = task.spec();
        List<Episode> episodes = sample(task, 2, 12);
        Deque<String> plain = played(id, spec, episodes);
        for (Episode episode : episodes) {
            float[] action = new float[spec.observationSize()];
            for (int t = 0; t <= episode.length(); t++) {
                String[] line = plain.remove().split(" ");
                double hidden = t == 0 ? seedOf(episode) : Double.parseDouble(line[0]);
                assertThat(episode.states()[t * spec.stateSize()]).isEqualTo(hidden);
                for (int i = 0; i < action.length; i++) {
                    float value = (float) Double.parseDouble(line[i + 1]);
                    assertThat((float) episode.states()[t * spec.stateSize() + 1 + i])
                            .isEqualTo(value);
                    float[] seen = t < episode.length()
                            ? Arrays.copyOfRange(episode.observations(), t * action.length, (t + 1) * action.length)
                            : episode.finalObservation();
                    assertThat(seen.length == 0 || seen[i] == value).isTrue();
                }
            }
            assertThat(plain.remove())
                    .isEqualTo("end " + episode.ending().name().toLowerCase(Locale.ROOT));
        }
        assertThat(episodes.stream().map(Episode::ending).distinct())
                .containsExactly(id.startsWith("Cart") ? Ending.TERMINATED : Ending.TRUNCATED);
    }

    private static long seedOf(Episode episode) {
        return RandomStream.of(SEED, Purpose.RESET, 1, episode.index()).nextLong() >>> 33;
    }

    /** What {@code plain.py} prints about the same seeds and actions. */
    private Deque<String> played(String id, EnvironmentSpec spec, List<Episode> episodes) throws IOException {
        StringBuilder input = new StringBuilder();
        float[] action = new float[1];
        for (Episode episode : episodes) {
            input.append(seedOf(episode));
            for (int t = 0; t < episode.length(); t++) {
                spec.toEnvironment(episode.actions(), t * spec.encodedActionSize(), action);
                input.append(' ').append((double) action[0]);
            }
            input.append('\n');
        }
        Path file = Files.writeString(folder.resolve("episodes"), input);
        Process python = new ProcessBuilder(
                        TestPython.withGymnasium(), PYTHON.resolve("plain.py").toString(), id)
                .redirectInput(file.toFile())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String printed = new String(python.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new ArrayDeque<>(printed.lines().toList());
    }

    @Test
    void oneAndTwoWorkersGiveTheSameBits() {
        Task task = PythonTasks.task("gym:CartPole-v1", settings());
        same(sample(task, 2, 20), sample(task, 1, 20));
    }

    @Test
    void aWorkerThatDiesIsReplacedAndItsEpisodesAreTheSame() throws IOException {
        Path marker = folder.resolve("died");
        Path log = folder.resolve("python.log");
        Task mortal = own(
                "faulty",
                "Mortal",
                settings().withArguments("{\"marker\": \"" + marker + "\"}").withLog(() -> Optional.of(log)));
        List<Episode> after = sample(mortal, 1, 10);
        assertThat(marker).exists();
        assertThat(Files.readString(log)).contains("exit code 137 (signal 9); started another one");
        same(after, sample(mortal, 1, 10));
        assertThat(after).extracting(Episode::length).containsOnly(20);
    }

    @Test
    void rewardsAreThoseOfStepAndNeedNoProcess() {
        AtomicInteger starts = new AtomicInteger();
        Task task = PythonTasks.task("gym:CartPole-v1", settings().withLog(() -> {
            starts.incrementAndGet();
            return Optional.empty();
        }));
        List<Episode> episodes = sample(task, 1, 3);
        int before = starts.get();
        try (EnvironmentReward oracle = new EnvironmentReward(task)) {
            List<Rewards> rewards = oracle.evaluate(episodes);
            for (int i = 0; i < 3; i++) {
                assertThat(rewards.get(i).values())
                        .hasSize(episodes.get(i).length())
                        .containsOnly(1.0);
            }
        }
        assertThat(starts).hasValue(before);
        assertThat(before).isEqualTo(2);
    }

    @Test
    void timeLimitsAreTheEnvironmentsOwnOrGivenOrAThousand() {
        assertThat(PythonTasks.task("gym:CartPole-v1", settings()).spec().maxSteps())
                .isEqualTo(500);
        assertThat(own("faulty", "Walk", settings()).spec().maxSteps()).isEqualTo(1000);
        Task shortened = PythonTasks.task("gym:Pendulum-v1", settings().withTimeLimit(15));
        assertThat(sample(shortened, 1, 2)).extracting(Episode::length).containsOnly(15);
        PythonSettings both = settings().withTimeLimit(50);
        Task shorter = PythonTasks.task("gym:Pendulum-v1", both.withArguments("{\"max_episode_steps\": 30}"));
        List<Episode> limited = sample(shorter, 1, 2);
        assertThat(limited).extracting(Episode::length).containsOnly(30);
        assertThat(limited).extracting(Episode::ending).containsOnly(Ending.TRUNCATED);
        List<Episode> own = sample(own("faulty", "Walk", settings()), 1, 2);
        assertThat(own).extracting(Episode::length).containsOnly(20);
        assertThat(own).extracting(Episode::ending).containsOnly(Ending.TRUNCATED);
        assertThat(own.getFirst().finalObservation()[1]).isEqualTo(20f);
    }

    /** The environment's state is what Gymnasium makes of its observation, and it checks the actions itself. */
    @ParameterizedTest
    @ValueSource(strings = {"Box", "Discrete", "MultiDiscrete", "MultiBinary"})
    void spacesAreFlattenedAsGymnasiumDoes(String actions) {
        Task task = own(
                "spaces_of_all_kinds",
                "Env",
                settings().withArguments("{\"actions\": \"" + actions + "\"}").withTimeLimit(25));
        EnvironmentSpec spec = task.spec();
        assertThat(spec.observationSize()).isEqualTo(6 + 3 + 5 + 4 + 3);
        assertThat(spec.hiddenStates()).isEqualTo(1);
        assertThat(spec.actions())
                .isEqualTo(
                        switch (actions) {
                            case "Box" -> new ActionSpace.Box(new float[] {-1, 0}, new float[] {1, 5});
                            case "Discrete" -> new ActionSpace.Discrete(3);
                            case "MultiDiscrete" -> new ActionSpace.Discrete(2, 3, 4, 5);
                            default -> new ActionSpace.Discrete(2, 2, 2);
                        });
        Episode episode = sample(task, 1, 1).getFirst();
        int size = spec.observationSize();
        for (int t = 0; t < episode.length(); t++) {
            for (int i = 0; i < size; i++) {
                assertThat(episode.observations()[t * size + i])
                        .isEqualTo((float) episode.states()[t * spec.stateSize() + 1 + i]);
            }
        }
        // rewards count the different actions that were taken
        assertThat(episode.states()[25 * spec.stateSize()]).isGreaterThan(2);
    }

    /** The examples of {@code docs/environments.md}, with the arguments that they have there. */
    @Test
    void theExamplesOfTheDocumentationAreRight() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "environments.md"));
        String code = Pattern.compile("```python\n(.*?)```", Pattern.DOTALL)
                .matcher(page)
                .results()
                .map(block -> block.group(1))
                .collect(Collectors.joining("\n\n"));
        Path module = Path.of("target", "documented", "thermostat.py");
        Files.createDirectories(module.getParent());
        Files.writeString(module, code);
        PythonSettings settings = settings().withTimeLimit(100).withArguments("{\"leak\": 0.2}");
        Task task = PythonTasks.task("python:target.documented.thermostat:Thermostat", settings);
        assertThat(EnvironmentChecker.check(task)).isEmpty();
        assertThat(sample(task, 1, 2)).extracting(Episode::length).allMatch(length -> length > 1);
        Task shown = PythonTasks.task("python:target.documented.thermostat:ShownThermostat", settings);
        Episode episode = sample(shown, 1, 1).getFirst();
        try (Recorder recorder = shown.openRecorder().orElseThrow()) {
            Recording recording = recorder.record(episode.playback(shown.spec()), new Recording.Options(true, 5));
            assertThat(recording.frames()).hasSize(5);
            assertThat(recording.infos().getLast()).contains("\"degrees\": ", "\"heater\": ");
        }
    }

    @Test
    void environmentsMayReturnTheSameArray() {
        same(sample(own("faulty", "SharedArray", settings()), 1, 6), sample(own("faulty", "Walk", settings()), 1, 6));
    }

    @Test
    void spacesOfActionsDrawFromTheSeedOfTheEpisode() {
        List<Episode> episodes = sample(own("drawing", "Env", settings()), 1, 40);
        int drawn = 0;
        for (Episode episode : episodes) {
            float[] seen = episode.observations();
            for (int i = 0; i < seen.length; i += 2) {
                assertThat(seen[i]).isEqualTo(seen[i + 1]);
                drawn += seen[i] > 0 ? 1 : 0;
            }
        }
        assertThat(drawn).isGreaterThan(40);
        same(sample(own("drawing", "Env", settings()), 2, 40), episodes);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void framesMayBeLongerThanAPipe() {
        List<Episode> episodes = sample(own("faulty", "Wide", settings()), 1, 20);
        for (Episode episode : episodes) {
            assertThat(episode.length()).isEqualTo(3);
            double x = episode.observations()[0];
            for (int t = 0; t < 3; t++) {
                assertThat((double) episode.observations()[20000 * t + 19999]).isCloseTo(x, within(1e-5));
                double mean = 0;
                for (int i = 0; i < 2000; i++) {
                    mean += Math.clamp(episode.actions()[2000 * t + i], -1, 1) / 2000.0;
                }
                x += mean;
                float next = t < 2 ? episode.observations()[20000 * (t + 1)] : episode.finalObservation()[0];
                assertThat((double) next).isCloseTo(x, within(1e-5));
            }
        }
    }

    @Test
    void whatAnEnvironmentPrintsGoesToTheLog() throws IOException {
        Path log = folder.resolve("python.log");
        Task chatty = own("faulty", "Chatty", settings().withLog(() -> Optional.of(log)));
        same(sample(chatty, 1, 2), sample(own("faulty", "Walk", settings()), 1, 2));
        assertThat(Files.readString(log)).contains("a line for standard output", "another one");
    }

    @Test
    void theCheckerFindsRandomNumbersThatAreNotOfTheSeed() {
        assertThat(EnvironmentChecker.check(own("faulty", "Walk", settings()))).isEmpty();
        assertThat(EnvironmentChecker.check(own("faulty", "Random", settings())))
                .anyMatch(finding -> finding.contains("in Python: from the seed given to reset"));
    }
}
