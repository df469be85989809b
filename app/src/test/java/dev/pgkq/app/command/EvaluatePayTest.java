package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.trace.TraceReader;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code pgkq evaluate --pay} with a program that counts its calls. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class EvaluatePayTest {
    /** Evaluations that training pays for. */
    private static final int TRAINED = 8;

    @TempDir
    private Path folder = Path.of("");

    private Path run = Path.of("");
    private Path calls = Path.of("");

    @BeforeEach
    void trainARun() throws IOException {
        run = folder.resolve("run");
        calls = folder.resolve("calls");
        Path script = folder.resolve("score.sh");
        // answers 3 or 5, so that the mean and its error are known
        Files.writeString(script, """
                cat >/dev/null
                echo "$PGKQ_IDEMPOTENCY_KEY" >>"$1"
                if [ -e "$1.broken" ]; then exit 78; fi
                printf '{"return": %d, "cost": 0.25}' $((3 + 2 * ($(wc -l <"$1") % 2)))
                """, UTF_8);
        List<String> words = new ArrayList<>(
                List.of("train --env OneStep-v0 --algo ppo --batch 4 --iterations 2 --threads 1 --rewards-at-once 1"
                        .split(" ")));
        words.addAll(List.of("--max-evaluations", "12", "--reward-per", "episode", "--out", run.toString()));
        words.addAll(List.of("--reward", "exec:sh " + script + " " + calls));
        Tool.Result result = Tool.run(words.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Files.readAllLines(calls)).hasSize(TRAINED);
    }

    private Tool.Result evaluate(String... options) {
        List<String> words = new ArrayList<>(List.of("evaluate", run.toString(), "--episodes", "6"));
        words.addAll(List.of(options));
        return Tool.run(words.toArray(String[]::new));
    }

    private int asked() throws IOException {
        return Files.readAllLines(calls).size() - TRAINED;
    }

    @Test
    void episodesAreScoredOnceAndThenTakenFromTheLedger() throws IOException {
        Tool.Result first = evaluate("--pay", "4");
        assertThat(first.exitCode()).as(first.err()).isZero();
        // two answers of 3 and two of 5: standard deviation √(4/3), divided by √4
        assertThat(first.out())
                .contains("paid return  4.00 ± 0.577 (standard error), 4 episodes; 4 paid for now (cost 1.00)")
                .containsPattern("task return  -?\\d.* \\(standard error\\), 6 episodes, by the task's own reward");
        assertThat(asked()).isEqualTo(4);
        assertThat(evaluate("--pay", "4").out())
                .contains("paid return  4.00 ± 0.577 (standard error), 4 episodes; nothing paid now, all were known");
        assertThat(asked()).isEqualTo(4);
        assertThat(evaluate("--pay", "5", "--max-evaluations", "13").out())
                .contains("1 paid for now (cost 0.250), 4 known already");
        assertThat(asked()).isEqualTo(5);
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.toString(), entries::add);
        assertThat(entries).hasSize(TRAINED + 5).allMatch(entry -> entry.state() == State.DONE);
        assertThat(entries.stream().filter(entry -> entry.id().iteration() == 0))
                .hasSize(5);
    }

    /** With a new ledger, the budget would start anew. */
    @Test
    void aLostLedgerIsRefusedAndNotReplaced() throws IOException {
        Files.delete(run.resolve("ledger.db"));

        Tool.Result refused = evaluate("--pay", "4");

        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(refused.err().replaceAll("\\s+", " ")).contains("Restore the ledger", "--accept-lost-ledger");
        assertThat(asked()).isZero();
        assertThat(run.resolve("ledger.db")).doesNotExist();
    }

    @Test
    void theBudgetOfTheRunHoldsUnlessAnotherIsGiven() throws IOException {
        Tool.Result refused = evaluate("--pay", "5", "--max-evaluations", Integer.toString(TRAINED));
        assertThat(refused.exitCode()).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(refused.err())
                .contains("the budget of the run does not pay for 5 more rewards: give --max-evaluations "
                        + (TRAINED + 5));
        assertThat(evaluate("--pay", "1", "--max-cost", "2").err()).contains("give --max-cost ");
        assertThat(asked()).isZero();
        assertThat(evaluate("--pay", "5").out())
                .contains("4 episodes, 1 more without a reward because of the budget; 4 paid for now");
        assertThat(asked()).isEqualTo(4);
        assertThat(evaluate("--pay", "5", "--max-evaluations", "17").exitCode()).isZero();
        assertThat(asked()).isEqualTo(5);
    }

    @Test
    void withoutPayingTheFiguresAreSaidToBeOfTheTasksOwnReward() throws IOException {
        Tool.Result result = evaluate();
        assertThat(result.exitCode()).isZero();
        assertThat(result.out())
                .contains(
                        "task return ", "These returns are of the task's own reward. The run was trained with exec:sh ")
                .contains("--pay 20 scores 20 of these episodes with it")
                .doesNotContain("paid return");
        assertThat(asked()).isZero();
    }

    @Test
    void aFailedRewardIsNoNumber() throws IOException {
        Files.createFile(folder.resolve("calls.broken"));
        Tool.Result result = evaluate("--pay", "2");
        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(result.err()).contains("no reward arrived").doesNotContain("iteration 0");
        Files.delete(folder.resolve("calls.broken"));
        assertThat(evaluate("--pay", "2", "--max-evaluations", "99").out()).contains("2 paid for now");
    }

    @Test
    void aRunInUseIsRefused() throws IOException {
        try (FolderLock lock = new RunDirectory(run).lock()) {
            assertThat(lock.channel().isOpen()).isTrue();
            assertThat(evaluate("--pay", "2").err()).contains("both would spend the same budget");
        }
        assertThat(evaluate("--pay", "2").exitCode()).isZero();
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        assertThat(evaluate("--max-evaluations", "20").err()).contains("--max-evaluations is a budget for --pay");
        assertThat(evaluate("--pay", "0").err()).contains("--pay needs a number of at least 1");
        assertThat(evaluate("--pay", "1", "--max-evaluations", "none").err()).contains("--max-evaluations needs");
        Path own = folder.resolve("own");
        Tool.run(
                "train",
                "--env",
                "OneStep-v0",
                "--algo",
                "ppo",
                "--batch",
                "4",
                "--iterations",
                "1",
                "--out",
                own.toString());
        assertThat(Tool.run("evaluate", own.toString(), "--pay", "2").err()).contains("cost nothing: leave out --pay");
    }

    /** Ann rates whatever is in the queue of the run, and sees the episode that she rates. */
    @Test
    void peopleRateEpisodesOfATrainedPolicyAsInTraining() throws Exception {
        Path rated = folder.resolve("rated");
        String[] training = ("train --env Pendulum-v1 --algo ppo --batch 2 --iterations 1 --threads 1 --value-epochs 2"
                        + " --reward human --rating-grace 0 --dashboard false --out " + rated)
                .split(" ");
        Tool.Result first;
        Tool.Result again;
        try (QuickRater ann = QuickRater.of(rated)) {
            assertThat(Tool.run(training).exitCode()).isZero();
            assertThat(ann.ratings()).isEqualTo(2);
            first = Tool.run("evaluate", rated.toString(), "--episodes", "4", "--pay", "3");
            again = Tool.run("evaluate", rated.toString(), "--episodes", "4", "--pay", "3");
            assertThat(ann.shown()).hasSize(5).allMatch(QuickRater.Shown::states);
        }

        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(first.err()).contains("people rate these episodes", "pgkq serve " + rated);
        // ratings 3, 4 and 5 after those of training
        assertThat(first.out()).contains("paid return  4.00 ± 0.577 (standard error), 3 episodes; 3 paid for now");
        assertThat(again.out()).contains("3 episodes; nothing paid now, all were known");
        assertThat(TraceReader.of(rated).episode(0, 2)).isPresent();
        assertThat(TraceReader.of(rated).episode(0, 3)).isEmpty();
    }
}
