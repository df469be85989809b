package dev.pgkq.app.training;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that decide in every iteration how many episodes to pay for. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class AutomaticPaceTest {
    private static final int ITERATIONS = 12;

    @TempDir
    private Path folder = Path.of("");

    private static List<String> arguments(Path run, int iterations, String... more) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq-bayes"));
        args.addAll(List.of("--batch", "12", "--iterations", Integer.toString(iterations), "--out", run.toString()));
        args.addAll(Arrays.asList(more));
        return args;
    }

    private Tool.Result train(Path run, int iterations, String... more) {
        Tool.Result result = Tool.run(arguments(run, iterations, more).toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private static double[] column(Path run, String name) {
        return Metrics.read(run.resolve("metrics.csv")).column(name);
    }

    /** The reward of Pendulum-v1 is a smooth function of the step: two or three episodes teach most of it. */
    @Test
    void whatIsKnownIsNotPaidFor() {
        Path run = folder.resolve("run");
        train(run, ITERATIONS);
        double[] paid = column(run, "paid");
        assertThat(paid[0]).isBetween(1.0, 8.0);
        assertThat(Arrays.stream(paid).filter(count -> count == 0).count()).isGreaterThan(ITERATIONS / 3);
        assertThat(paid[9]).as("every tenth iteration checks what is believed").isPositive();
        assertThat(column(run, "reward_evaluations")[ITERATIONS - 1])
                .isEqualTo(Arrays.stream(paid).sum());
        double[] before = column(run, "expected_error");
        double[] after = column(run, "expected_error_paid");
        assertThat(before[0]).as("nothing is known").isNaN();
        for (int k = 1; k < ITERATIONS; k++) {
            assertThat(after[k]).as("iteration %d", k + 1).isLessThanOrEqualTo(before[k]);
            assertThat(paid[k] == 0).as("iteration %d", k + 1).isEqualTo(before[k] <= 0.1 && k != 9);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"builtin", "rating"})
    void aRunStoppedAndResumedEqualsUninterrupted(String reward) {
        Path resumed = folder.resolve("resumed");
        train(resumed, 3, "--reward", reward);
        train(resumed, 6, "--reward", reward, "--resume");
        Path whole = folder.resolve("whole");
        train(whole, 6, "--reward", reward, "--threads", "3");
        for (String column :
                List.of("return_mean", "paid", "expected_error", "inflation", "value_loss", "paid_return")) {
            assertThat(column(resumed, column)).as(column).isEqualTo(column(whole, column));
        }
    }

    /** One rating does not tell good episodes from bad ones, which is no reason to warn. */
    @Test
    void aBudgetLastsUntilTheEnd() {
        Path run = folder.resolve("run");
        train(run, 6, "--reward", "rating", "--max-evaluations", "3");
        double[] paid = column(run, "paid");
        assertThat(paid).hasSize(6);
        assertThat(paid[0]).as("at most twice its share").isOne();
        assertThat(column(run, "policy_objective")[0]).isZero();
        assertThat(Arrays.stream(paid).sum()).isEqualTo(3);
        assertThat(run.resolve("events.jsonl"))
                .content()
                .doesNotContain("warning")
                .containsOnlyOnce("--max-evaluations 3 is spent: the remaining");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void aProgramIsAskedForNothingElse() throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                echo x >> %s
                echo '{"return": '${PGKQ_EPISODE##*/}'}'
                """.formatted(folder.resolve("asked")), UTF_8);
        Path run = folder.resolve("run");
        train(run, 5, "--reward", "exec:sh " + script, "--reward-per", "episode");
        long paid = (long) Arrays.stream(column(run, "paid")).sum();
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve("ledger.db").toString(), entries::add);
        assertThat(entries).hasSize((int) paid);
        assertThat(Files.readAllLines(folder.resolve("asked"))).hasSize((int) paid);
    }

    /** A program with a number for each episode. */
    private String scorer(String first) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                %s
                echo '{"return": '${PGKQ_EPISODE##*/}', "cost": 2}'
                """.formatted(first), UTF_8);
        return "exec:sh " + script;
    }

    /** A cost of 4 pays for two evaluations, which is known after the first. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void aLimitInMoneyLastsUntilTheEndAsOneOfEvaluationsDoes() throws IOException {
        Path run = folder.resolve("run");
        train(run, 6, "--reward", scorer(""), "--reward-per", "episode", "--max-cost", "4");
        assertThat(column(run, "paid")).containsExactly(1, 1, 0, 0, 0, 0);
        assertThat(run.resolve("events.jsonl"))
                .content()
                .containsOnlyOnce("--max-cost 4 does not pay for another evaluation: the remaining 4 iterations")
                .contains("\"finished\"");
    }

    /** Two calls of the second iteration, for an episode and one in its place, have no answer. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void callsWithoutAnAnswerUseUpABudgetOfEvaluationsAndThatIsSaid() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("echo >>" + folder.resolve("calls") + "; test $PGKQ_ITERATION = 1 || exit 78");
        train(run, 6, "--reward", reward, "--reward-per", "episode", "--max-evaluations", "3");
        assertThat(column(run, "paid")).containsExactly(1, 0, 0, 0, 0, 0);
        assertThat(Files.readAllLines(folder.resolve("calls"))).hasSize(3);
        assertThat(run.resolve("events.jsonl"))
                .content()
                .containsOnlyOnce("--max-evaluations 3 is spent: the remaining 4 iterations")
                .containsOnlyOnce("trained on what is believed about rewards, because")
                .doesNotContain("the next iteration needs")
                .contains("\"finished\"");
    }

    /** The mean price is 2, so that 3 seem to pay for another answer, but one of them has cost 5. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void theEndOfALimitInMoneyIsReportedWherePricesDiffer() throws IOException {
        Path run = folder.resolve("run");
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                echo >>%1$s
                price=1
                if [ "$(wc -l <%1$s)" -eq 4 ]; then price=5; fi
                echo '{"return": '${PGKQ_EPISODE##*/}', "cost": '$price'}'
                """.formatted(folder.resolve("calls")), UTF_8);
        String[] options = {"--reward", "exec:sh " + script, "--reward-per", "episode", "--max-cost", "11"};
        train(run, 12, with(options, "--rewards-at-once", "1"));
        assertThat(Arrays.stream(column(run, "paid")).sum()).isEqualTo(4);
        assertThat(run.resolve("events.jsonl"))
                .content()
                .containsOnlyOnce("train on what is believed about rewards")
                .contains("\"finished\"");
    }

    private static String[] with(String[] options, String... more) {
        String[] all = Arrays.copyOf(options, options.length + more.length);
        System.arraycopy(more, 0, all, options.length, more.length);
        return all;
    }

    /** The ledger has the answers of the last iteration, but what its checkpoint says decides what it may pay for. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void anIterationRepeatedUnderALimitInMoneyMakesTheSameChoice() throws IOException {
        Path run = folder.resolve("run");
        String[] options = {"--reward", scorer(""), "--reward-per", "episode", "--max-cost", "4", "--resume"};
        train(run, 2, Arrays.copyOf(options, options.length - 1));
        double[] paid = column(run, "paid");
        double[] objective = column(run, "policy_objective");
        assertThat(paid).containsExactly(1, 1);
        Files.delete(run.resolve("checkpoint/iteration-000002.safetensors"));
        train(run, 2, options);
        assertThat(column(run, "paid")).isEqualTo(paid);
        assertThat(column(run, "policy_objective")).isEqualTo(objective);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void anIterationPaysForNoMoreThanCanBeEvaluatedAtOnce() throws IOException {
        String[] options = {"--reward", scorer(""), "--reward-per", "episode", "--rewards-at-once", "1"};
        train(folder.resolve("one"), 3, options);
        assertThat(column(folder.resolve("one"), "paid")).containsExactly(1, 1, 1);
        train(folder.resolve("all"), 1, Arrays.copyOf(options, 4));
        assertThat(column(folder.resolve("all"), "paid")[0]).isGreaterThan(1);
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void rewardsThatAreMissingForAWhileAreDoneWithout() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("case $PGKQ_ITERATION in 2|3) echo 'out of order' >&2; exit 78 ;; esac");
        train(run, 5, "--reward", reward, "--reward-per", "episode");
        double[] paid = column(run, "paid");
        assertThat(paid).hasSize(5);
        assertThat(Arrays.copyOfRange(paid, 1, 3)).containsExactly(0, 0);
        assertThat(paid[3]).isPositive();
        assertThat(Files.readAllLines(run.resolve("events.jsonl")).stream()
                        .filter(line -> line.contains("\"warning\""))
                        .toList())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).contains("trained on what is believed", "out of order"));
    }

    @ParameterizedTest
    @CsvSource({"reweight, 4", "replace, 4", "stop, 2"})
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void rewardsThatStayMissingStopTheRun(String onFailure, int iteration) throws IOException {
        Path run = folder.resolve("run");
        List<String> args = arguments(run, 8, "--reward", scorer("test $PGKQ_ITERATION = 1 || exit 78"));
        args.addAll(List.of("--reward-per", "episode", "--on-failure", onFailure));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("rewards of iteration " + iteration + " arrived");
        assertThat(column(run, "paid")).hasSize(iteration - 1);
    }

    /** The second and third iteration have no rewards; resuming does not start the count anew. */
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void iterationsWithoutRewardsAreCountedAcrossAResume() throws IOException {
        Path run = folder.resolve("run");
        String[] options = {"--reward", scorer("test $PGKQ_ITERATION = 1 || exit 78"), "--reward-per", "episode"};
        train(run, 3, options);
        assertThat(column(run, "paid")).hasSize(3).endsWith(0, 0);

        Tool.Result resumed =
                Tool.run(arguments(run, 8, with(options, "--resume")).toArray(String[]::new));

        assertThat(resumed.exitCode()).as(resumed.err()).isEqualTo(2);
        assertThat(resumed.err()).contains("rewards of iteration 4 arrived");
        assertThat(column(run, "paid")).hasSize(3);
    }

    @Test
    void otherAlgorithmsNeedANumber() {
        Tool.Result result = Tool.run(
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                "ppo-kq",
                "--select",
                "auto",
                "--out",
                folder.resolve("run").toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("--select", "auto", "needs kq-bayes", "give a number");
        assertThat(folder.resolve("run")).doesNotExist();
    }

    @Test
    void aNumberFixesThePace() {
        Path run = folder.resolve("run");
        train(run, 2, "--select", "3");
        assertThat(column(run, "paid")).containsExactly(3, 3);
        assertThat(run.resolve("config.yaml")).content().contains("select: 3\n");
    }

    @Test
    void aBudgetLowersANumberInTheLastIterationOnly() {
        Path run = folder.resolve("run");
        train(run, 40, "--select", "3", "--max-evaluations", "7");
        assertThat(column(run, "paid")).containsExactly(3, 3, 1);
    }
}
