package dev.pgkq.app.desk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.ledger.Ledger;
import dev.pgkq.app.ledger.LedgerEntry;
import dev.pgkq.app.ledger.State;
import dev.pgkq.app.run.Metrics;
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

/** Whole runs whose rewards come from a program that fails for some episodes, or for all of them until it is mended. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class FailingRewardsTest {
    private static final int ITERATIONS = 4;

    @TempDir
    private Path folder = Path.of("");

    /** Fails for good where the key begins with one of these digits. */
    private String scorer(String digits) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, """
                cat >/dev/null
                case $PGKQ_IDEMPOTENCY_KEY in [%s]*) echo "cannot see a thing" >&2; exit 78 ;; esac
                echo '{"return": 7}'
                """.formatted(digits), UTF_8);
        return "exec:sh " + script;
    }

    private Tool.Result train(Path run, String reward, String... more) {
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo-kq"));
        args.addAll(List.of("--batch", "12", "--select", "6", "--iterations", Integer.toString(ITERATIONS)));
        args.addAll(List.of("--reward", reward, "--reward-per", "episode", "--out", run.toString()));
        args.addAll(Arrays.asList(more));
        return Tool.run(args.toArray(String[]::new));
    }

    private static List<LedgerEntry> ledger(Path run) {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve("ledger.db").toString(), entries::add);
        return entries;
    }

    /** A key begins with one of sixteen digits, so that a quarter fails. */
    @Test
    void aRunGoesOnWithoutTheRewardsThatDoNotCome() throws IOException {
        for (String onFailure : List.of("reweight", "replace")) {
            Path run = folder.resolve(onFailure);
            Tool.Result result = train(run, scorer("048c"), "--on-failure", onFailure);
            assertThat(result.exitCode()).as(result.err()).isZero();
            long failed = ledger(run).stream()
                    .filter(entry -> entry.state() == State.FAILED)
                    .count();
            long paid = ledger(run).size() - failed;
            assertThat(failed).isPositive();
            assertThat(ledger(run).stream()
                            .filter(entry -> entry.state() == State.FAILED)
                            .toList())
                    .allSatisfy(entry -> assertThat(entry.error()).contains("cannot see a thing"));
            double[] used = Metrics.read(run.resolve("metrics.csv")).column("reward_evaluations");
            assertThat(used).hasSize(ITERATIONS);
            assertThat((long) used[ITERATIONS - 1]).isEqualTo(paid);
            assertThat(paid + failed)
                    .isBetween(paid + 1, (long) (onFailure.equals("replace") ? 2 : 1) * 6 * ITERATIONS);
        }
    }

    @Test
    void whereNoneComeTheRunStopsAndGoesOnWhenTheProgramIsMended() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("0123456789abcdef");
        Tool.Result broken = train(run, reward);
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err().replaceAll("\\s+", " "))
                .contains("0 of ", "rewards of iteration 1 came", "cannot see a thing", "--resume")
                .doesNotContain("Exception");
        assertThat(Files.readAllLines(run.resolve("events.jsonl")).stream()
                        .filter(line -> line.contains("\"reward-failed\""))
                        .toList())
                .as("the first failure, and how many there were")
                .hasSize(2)
                .allSatisfy(line ->
                        assertThat(line).contains("cannot see a thing", "\"then\":\"given up\"", "\"iteration\":1"))
                .last()
                .asString()
                .contains("\"times\":6");
        scorer("x");
        Tool.Result mended = train(run, reward, "--resume");
        assertThat(mended.exitCode()).as(mended.err()).isZero();
        assertThat(ledger(run)).extracting(LedgerEntry::state).containsOnly(State.DONE);
    }

    @Test
    void aRunThatHasPaidForNothingMayGoOnWithAnotherReward() throws IOException {
        Path run = folder.resolve("run");
        String wrong = scorer("0123456789abcdef") + " --wrong";
        Tool.Result broken = train(run, wrong);
        assertThat(broken.exitCode()).isEqualTo(2);
        assertThat(broken.err().replaceAll("\\s+", " "))
                .contains("Nothing has been paid for yet", "--resume", "another --reward");
        assertThat(train(run, wrong).err()).contains("holds a run already", "nothing has been paid for in it yet");
        String right = scorer("x");
        Tool.Result mended = train(run, right, "--resume");
        assertThat(mended.exitCode()).as(mended.err()).isZero();
        assertThat(run.resolve("config.yaml")).content().contains("reward: " + right + "\n");
        Tool.Result changed = train(run, wrong, "--resume");
        assertThat(changed.exitCode()).isEqualTo(2);
        assertThat(changed.err()).contains("begun with reward " + right);
    }

    @Test
    void anAnswerInTheLedgerMakesTheRewardFinal() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("01234567");
        assertThat(train(run, reward, "--on-failure", "stop").exitCode()).isEqualTo(2);
        assertThat(ledger(run)).extracting(LedgerEntry::state).contains(State.DONE, State.FAILED);
        Tool.Result changed = train(run, reward + " --other", "--resume");
        assertThat(changed.exitCode()).isEqualTo(2);
        assertThat(changed.err()).contains("begun with reward " + reward);
    }

    @Test
    void aBudgetEndsTheRunAndALargerOneGoesOn() throws IOException {
        Path run = folder.resolve("run");
        String reward = scorer("x");
        Tool.Result poor = train(run, reward, "--max-evaluations", "13");
        assertThat(poor.exitCode()).as(poor.err()).isZero();
        assertThat(poor.out()).contains("resume");
        assertThat(ledger(run).stream().filter(entry -> entry.state() == State.DONE))
                .hasSizeBetween(1, 13);
        assertThat(ledger(run)).extracting(LedgerEntry::state).doesNotContain(State.RUNNING, State.FAILED);
        Tool.Result rich = train(run, reward, "--resume", "--max-evaluations", "100");
        assertThat(rich.exitCode()).as(rich.err()).isZero();
        assertThat(Metrics.read(run.resolve("metrics.csv")).column("iteration")).hasSize(ITERATIONS);

        Path own = folder.resolve("own");
        Tool.Result builtin = Tool.run(
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                "ppo",
                "--batch",
                "4",
                "--max-evaluations",
                "10",
                "--iterations",
                "9",
                "--out",
                own.toString());
        assertThat(builtin.exitCode()).as(builtin.err()).isZero();
        assertThat(Metrics.read(own.resolve("metrics.csv")).column("reward_evaluations"))
                .containsExactly(4, 8);
    }
}
