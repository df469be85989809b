package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.Tool;
import dev.pgkq.rewards.desk.BudgetReached;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RewardOptionsTest {
    @Test
    void aBudgetThatIsSpentNamesTheOptionAndAValueThatSuffices() {
        BudgetReached.checkEvaluations(10, 9, 3);
        assertThatThrownBy(() -> BudgetReached.checkEvaluations(10, 10, 3))
                .isInstanceOfSatisfying(BudgetReached.class, reached -> {
                    assertThat(RewardOptions.larger(reached)).containsExactly("--max-evaluations", "20");
                    assertThat(RewardOptions.message(reached))
                            .contains("10 of 10 evaluations")
                            .endsWith("resume with a larger --max-evaluations");
                });
    }

    @Test
    void oneNumberWhereStepsAreExpectedNamesTheOptionsOfANewRun(@TempDir Path folder) throws Exception {
        Path scorer = Files.writeString(folder.resolve("score.sh"), "cat >/dev/null; echo '{\"return\": 1}'\n");
        Path run = folder.resolve("run");
        Tool.Result result = Tool.run(
                "train",
                "--env",
                "Pendulum-v1",
                "--algo",
                "ppo",
                "--batch",
                "2",
                "--iterations",
                "1",
                "--threads",
                "1",
                "--reward",
                "exec:sh " + scorer,
                "--reward-per",
                "step",
                "--out",
                run.toString());
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().replaceAll("\\s+", " "))
                .contains("--reward-per episode", "--ledger " + run.resolve("ledger.db"));
    }
}
