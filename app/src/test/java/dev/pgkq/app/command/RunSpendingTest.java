package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.ledger.Paid;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What a run reports to have spent, and the larger budget that it suggests. */
class RunSpendingTest {
    @TempDir
    private Path folder = Path.of("");

    private static RunConfig config() {
        return RunConfig.of(Map.of(
                Setting.ALGO, new Given("ppo", "test"),
                Setting.BATCH, new Given("12", "test"),
                Setting.SELECT, new Given("6", "test"),
                Setting.COST, new Given("0.5", "test")));
    }

    private static Paid paid(int evaluations, String cost) {
        return new Paid(evaluations, new BigDecimal(cost));
    }

    @Test
    void aLargerBudgetIsNotLargerThanTheRunCanUse() {
        RunSpending spent = new RunSpending(new Spent(paid(12, "3"), Paid.NOTHING));
        List<String> twice = List.of("--max-evaluations", "26");
        assertThat(spent.atMost(twice, 2, config())).containsExactly("--max-evaluations", "24");
        assertThat(spent.atMost(twice, 3, config())).containsExactly("--max-evaluations", "26");
        // 12 more, at the same 0.25 each
        List<String> money = List.of("--max-cost", "7.5");
        assertThat(spent.atMost(money, 2, config())).containsExactly("--max-cost", "6");
        assertThat(spent.atMost(money, 4, config())).containsExactly("--max-cost", "7.5");
        assertThat(new RunSpending(Spent.NOTHING).atMost(money, 2, config())).containsExactly("--max-cost", "6");
        // two calls without an answer are spent, too
        RunSpending unlucky = new RunSpending(new Spent(paid(12, "3"), paid(2, "0.5")));
        assertThat(unlucky.atMost(twice, 2, config())).containsExactly("--max-evaluations", "26");
        assertThat(unlucky.atMost(money, 2, config())).containsExactly("--max-cost", "6.5");
    }

    private Tool.Result train(String name, String... more) throws Exception {
        Path script = folder.resolve("score.sh");
        Files.writeString(script, "cat >/dev/null\necho '{\"return\": 7, \"cost\": 0.25}'\n", UTF_8);
        List<String> args = new ArrayList<>(List.of("train", "--env", "Pendulum-v1", "--algo", "ppo"));
        args.addAll(List.of("--batch", "4", "--iterations", "2", "--threads", "1", "--reward-per", "episode"));
        args.addAll(List.of(
                "--reward", "exec:sh " + script, "--out", folder.resolve(name).toString()));
        args.addAll(List.of("--ledger", folder.resolve("shared.db").toString()));
        args.addAll(List.of(more));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void whatTheLedgerKnewWasNotPaidFor() throws Exception {
        assertThat(train("one").out()).contains("spent     8 reward evaluations, cost 2.00, 1,600 steps");
        assertThat(train("other").out())
                .contains("spent     0 reward evaluations (plus 8 reused from the ledger), 1,600 steps");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
    void aBudgetOfMoneyIsRaisedToWhatTheRestNeeds() throws Exception {
        assertThat(train("poor", "--max-cost", "1").out())
                .contains("stopped at its budget after iteration 1 of 2", "--max-cost 2\n");
    }
}
