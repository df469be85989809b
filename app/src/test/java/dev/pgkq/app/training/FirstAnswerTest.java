package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The first calls of a program that is to give rewards, and the calls that count against a budget. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class FirstAnswerTest {
    /** Another number for each of the 200 steps of Pendulum-v1. */
    private static final String STEPS =
            "awk 'BEGIN { printf \"{\\\"rewards\\\": [0\"; for (i = 1; i < 200; i++) printf \", %d\", i % 7; print \"]}\" }'";

    private static final String NUMBER = "echo '{\"return\": '$((0x$(printf %.4s \"$PGKQ_IDEMPOTENCY_KEY\")))'}'";

    @TempDir
    private Path folder = Path.of("");

    /** A program that records its calls and executes this. */
    private String program(String body) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, "cat >/dev/null\necho x >>" + folder.resolve("calls") + "\n" + body + "\n", UTF_8);
        return "exec:sh " + script;
    }

    private int calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).size();
    }

    private static String[] words(Path run, String reward, String... more) {
        List<String> words = new ArrayList<>(List.of("train", "--env", "Pendulum-v1"));
        words.addAll(List.of("--batch", "12", "--select", "6", "--threads", "1", "--value-epochs", "2"));
        words.addAll(List.of("--mean-epochs", "2", "--reward", reward, "--out", run.toString()));
        words.addAll(Arrays.asList(more));
        return words.toArray(String[]::new);
    }

    private static Tool.Result train(Path run, String reward, String... more) {
        return Tool.run(words(run, reward, more));
    }

    private static double[] column(Path run, String name) {
        return Metrics.read(run.resolve("metrics.csv")).column(name);
    }

    private static String grain(Path run) {
        return String.valueOf(new RunDirectory(run)
                .checkpoints()
                .newest()
                .orElseThrow()
                .saved()
                .snapshot()
                .attributes()
                .get(Trainer.REWARD_PER));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "echo '{\"reward\": 7}' | has neither \"rewards\" nor \"return\"",
                "echo 'Loading model' | not valid JSON",
                "echo '{\"rewards\": [1, 2]}' | has 2 rewards for an episode of 200 steps",
                "echo '{\"return\": NaN}' | numbers must be finite",
                "echo 'no key' >&2; exit 1 | failed with exit code 1",
            })
    void aProgramThatIsWrongIsCalledOnce(String body, String problem) throws IOException {
        String reward = program(body);
        for (String per : List.of("auto", "episode")) {
            Path out = folder.resolve(per);
            Tool.Result wrong = train(out, reward, "--reward-per", per, "--max-evaluations", "10");
            assertThat(wrong.exitCode()).isEqualTo(2);
            assertThat(wrong.err().replaceAll("\\s+", " "))
                    .contains("the first call gave no usable answer, and no other was made", problem)
                    .contains("{\"return\": 7.5}, or {\"rewards\": [0.5, …]} with 200 numbers")
                    .containsOnlyOnce("{\"return\": 7.5}")
                    .contains("to continue: pgkq train --resume --out " + out);
            assertThat(calls()).isOne();
            Files.delete(folder.resolve("calls"));
        }
    }

    /** A connection that was refused has asked nobody. */
    @Test
    void onlyAServiceThatIsNotThereIsSaidToHaveCostNothing() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        String nobody = "http://localhost:" + port + "/score";
        assertThat(failed(words(folder.resolve("nobody"), nobody, "--reward-attempts", "1")))
                .contains("nothing has been paid for: no call that may cost something was made")
                .doesNotContain("paid for so far");
        assertThat(failed(words(folder.resolve("program"), program("exit 1"))))
                .contains("paid for so far: 0 answers and 1 call without an answer")
                .doesNotContain("nothing has been paid for");
    }

    /** What a run that fails prints. */
    private String failed(String... words) throws Exception {
        Path log = folder.resolve("log.txt");
        Files.deleteIfExists(log);
        assertThat(Tool.start(log, words).waitFor()).as(Files.readString(log)).isEqualTo(2);
        return Files.readString(log);
    }

    @Test
    void theCallCountsAfterTheProgramIsFixed() throws IOException {
        Path run = folder.resolve("run");
        String reward = program("echo '{\"reward\": 7}'");
        train(run, reward, "--max-evaluations", "10");
        program(NUMBER);
        Tool.Result fixed = train(run, reward, "--max-evaluations", "10", "--resume");
        assertThat(fixed.exitCode()).as(fixed.err()).isZero();
        assertThat(calls()).isEqualTo(10);
        assertThat(column(run, "paid")).containsExactly(6, 3);
        assertThat(fixed.out())
                .contains("spent     9 reward evaluations, 1 call without an answer, ")
                .contains("stopped at its budget after iteration 2 of 500");
        assertThat(Tool.run("ledger", run.toString()).out())
                .contains("9 paid for", "1 without an answer count as paid for");
    }

    /** A judge that cannot evaluate one episode is not asked for it at every start. */
    @ParameterizedTest
    @ValueSource(strings = {"auto", "episode"})
    void aResumedRunStartsWithAnotherEpisode(String per) throws IOException {
        Path run = folder.resolve("run");
        Path keys = folder.resolve("keys");
        Path cannot = folder.resolve("cannot");
        // it fails for the first two episodes that it sees
        String reward = program("[ -e " + cannot + " ] && [ $(wc -l <" + cannot
                + ") -gt 1 ] || echo $PGKQ_IDEMPOTENCY_KEY >>"
                + cannot + "\necho $PGKQ_IDEMPOTENCY_KEY >>" + keys + "\ngrep -q $PGKQ_IDEMPOTENCY_KEY " + cannot
                + " && exit 1\n" + NUMBER);
        String[] limits = {"--reward-per", per, "--max-evaluations", "30", "--iterations", "1"};
        assertThat(train(run, reward, limits).exitCode()).isEqualTo(2);
        String[] again = {limits[0], limits[1], limits[2], limits[3], limits[4], limits[5], "--resume"};
        assertThat(train(run, reward, again).exitCode()).isEqualTo(2);
        assertThat(Files.readAllLines(keys)).hasSize(2).doesNotHaveDuplicates();
        Tool.Result third = train(
                run,
                reward,
                again[0],
                again[1],
                again[2],
                again[3],
                again[4],
                again[5],
                again[6],
                "--reward-attempts",
                "1");
        assertThat(third.exitCode()).as(third.err()).isZero();
        assertThat(Files.readAllLines(keys).subList(0, 3)).doesNotHaveDuplicates();
    }

    @Test
    @Tag("slow")
    void aBudgetIsNotExceededByAProgramThatFailsAndIsKilled() throws Exception {
        Path run = folder.resolve("run");
        String die = "if [ $(wc -l <" + folder.resolve("calls") + ") -eq 8 ]; then kill -9 $PPID; exit 1; fi\n";
        String reward = program(die + NUMBER);
        String[] limits = {"--max-evaluations", "13", "--rewards-at-once", "1"};
        Process killed = Tool.start(folder.resolve("log.txt"), words(run, reward, limits));
        assertThat(killed.waitFor()).isNotZero();
        assertThat(calls()).isEqualTo(8);
        Tool.Result resumed = Tool.run("train", "--resume", "--out", run.toString());
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        assertThat(calls()).isEqualTo(13);
        assertThat(resumed.out()).contains("12 reward evaluations, 1 call without an answer");
        assertThat(column(run, "paid")).containsExactly(6, 6);
    }

    @Test
    void theLastIterationIsTheSameAfterAResume() throws IOException {
        String reward = program(NUMBER);
        Path whole = folder.resolve("whole");
        train(whole, reward, "--max-evaluations", "16");
        Path resumed = folder.resolve("resumed");
        train(resumed, reward, "--max-evaluations", "16", "--iterations", "2");
        train(resumed, reward, "--max-evaluations", "16", "--iterations", "500", "--resume");
        assertThat(column(whole, "paid")).containsExactly(6, 6, 4);
        Scorer.assertSame(resumed, whole);
    }

    /** What a program gives is found out with an episode of the first iteration, so that no answer is paid for in vain. */
    @ParameterizedTest
    @CsvSource({"episode, 0", "step, 1"})
    void theFirstAnswerShowsWhatRewardsAreGivenFor(String grain, int ofSteps) throws IOException {
        String reward = program(ofSteps == 1 ? STEPS : NUMBER);
        Path run = folder.resolve("run");
        Tool.Result result = train(run, reward, "--iterations", "1");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(grain(run)).isEqualTo(grain);
        assertThat(column(run, "paid")).containsExactly(6);
        assertThat(calls()).isEqualTo(6);
        assertThat(run.resolve("config.yaml"))
                .content()
                .contains("reward-per: auto\n")
                .doesNotContain("\ndiscount: ");
        assertThat(run.resolve("events.jsonl")).content().contains("so the run uses --reward-per " + grain);
    }

    @Test
    void whatWasFoundOutIsNotFoundOutAgain() throws IOException {
        String reward = program(NUMBER);
        Path run = folder.resolve("run");
        train(run, reward, "--iterations", "1");
        Path whole = folder.resolve("whole");
        train(whole, reward, "--iterations", "2");
        int before = calls();
        Tool.Result resumed = train(run, reward, "--iterations", "2", "--resume");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        Scorer.assertSame(run, whole);
        program(STEPS);
        Tool.Result sums = train(run, reward, "--iterations", "3", "--resume", "--reward-version", "1");
        assertThat(sums.exitCode()).as(sums.err()).isZero();
        assertThat(grain(run)).isEqualTo("episode");
        assertThat(calls()).isEqualTo(before + 12);
    }

    @Test
    void anAlgorithmThatPaysForAllTrainsAsIfItHadBeenTold() throws IOException {
        String reward = program(NUMBER);
        Path auto = folder.resolve("auto");
        assertThat(train(auto, reward, "--iterations", "2", "--algo", "ppo").exitCode())
                .isZero();
        Path told = folder.resolve("told");
        train(told, reward, "--iterations", "2", "--algo", "ppo", "--reward-per", "episode");
        Scorer.assertSame(auto, told);
    }

    @Test
    void settingsThatOnlyStepsAllowSayWhatRewardsAreGivenFor() throws IOException {
        Path run = folder.resolve("run");
        Tool.Result result = train(run, program(NUMBER), "--discount", "0.99");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err())
                .contains("training expects a reward for every step")
                .doesNotContain("to continue:");
        assertThat(calls()).isOne();
    }
}
