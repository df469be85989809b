package dev.pgkq.app.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BudgetTest {
    private static final Algorithm KQ = Algorithm.named("ppo-kq");
    private static final Algorithm LARGE = Algorithm.named("ppo-large");

    @TempDir
    private Path folder = Path.of("");

    /** Creates a run whose return is a function of the rewards paid before, with the same number paid in every iteration. */
    private void run(Algorithm algorithm, long seed, int paid, int iterations, DoubleUnaryOperator returns)
            throws IOException {
        Path run = SyntheticRuns.under(folder, iterations).run("Hopper-v4", algorithm, seed, 0, "finished", Map.of());
        StringBuilder metrics = new StringBuilder("iteration,steps,reward_evaluations,return_mean,seconds_sample\n");
        for (int i = 1; i <= iterations; i++) {
            double value = returns.applyAsDouble((i - 1.0) * paid);
            metrics.append(i + "," + 100 * i + "," + i * paid + "," + value + ",0.5\n");
        }
        Files.writeString(run.resolve("metrics.csv"), metrics);
    }

    private Summary.Row row(int budget, String label, Statistic statistic) {
        Study study = Study.of(RunFinder.find(List.of(folder), _ -> {}));
        return SummaryBuilder.build(study, ReturnThresholds.of(List.of(), study), new Budget(budget))
                .find("Hopper-v4", "ppo", label, statistic)
                .orElseThrow();
    }

    /** The return is 3 + 2x after x evaluations. */
    @Test
    void aLinearCurveHasTheNumbersOfItsIntegral() throws IOException {
        run(KQ, 1, 8, 40, x -> 3 + 2 * x);
        Summary.Row there = row(203, "kq", Statistic.RETURN_AT_BUDGET);
        assertThat(there.value()).isCloseTo(3 + 2 * 203, within(1e-9));
        assertThat(there.count()).isEqualTo(1);
        assertThat(there.interval().isKnown()).isFalse();
        double area = 3 * 203 + 203.0 * 203;
        assertThat(row(203, "kq", Statistic.AUC_TO_BUDGET).value()).isCloseTo(area / 203, within(1e-9));
        assertThat(row(203, "kq, seed 1", Statistic.AUC_TO_BUDGET).value()).isCloseTo(area / 203, within(1e-9));
    }

    /** With the values 100 and 300, the mean of a resample is 100, 200 or 300, with 100 and 300 in a quarter of the cases each. */
    @ParameterizedTest
    @EnumSource(
            value = Statistic.class,
            names = {"RETURN_AT_BUDGET", "AUC_TO_BUDGET"})
    void seedsAreAveragedAndResampledForTheInterval(Statistic statistic) throws IOException {
        run(KQ, 1, 8, 30, x -> 100);
        run(KQ, 2, 8, 30, x -> 300);
        Summary.Row row = row(200, "kq", statistic);
        assertThat(row.value()).isEqualTo(200);
        assertThat(row.interval().low()).isEqualTo(100);
        assertThat(row.interval().high()).isEqualTo(300);
        assertThat(row.count()).isEqualTo(2);
        assertThat(row.statistic().spread()).contains("bootstrap");
    }

    @Test
    void runsThatSpentLessAreCountedButNotAveraged() throws IOException {
        run(KQ, 1, 8, 26, x -> 100);
        run(KQ, 2, 8, 25, x -> 9000);
        assertThat(row(200, "kq", Statistic.RETURN_AT_BUDGET).value()).isEqualTo(100);
        assertThat(row(200, "kq", Statistic.RETURN_AT_BUDGET).count()).isEqualTo(1);
        Summary.Row spending = row(200, "kq", Statistic.RUNS_SPENDING_BUDGET);
        assertThat(spending.value()).isEqualTo(1);
        assertThat(spending.count()).isEqualTo(2);
        assertThat(row(192, "kq", Statistic.RUNS_SPENDING_BUDGET).value()).isEqualTo(2);
    }

    @Test
    void aBudgetThatNoRunSpentHasNoValue() throws IOException {
        run(KQ, 1, 8, 25, x -> 100);
        assertThat(row(200, "kq", Statistic.RUNS_SPENDING_BUDGET).value()).isZero();
        assertThat(row(200, "kq", Statistic.RETURN_AT_BUDGET).value()).isNaN();
        assertThat(row(200, "kq", Statistic.RETURN_AT_BUDGET).count()).isZero();
        assertThat(row(200, "kq", Statistic.AUC_TO_BUDGET).value()).isNaN();
    }

    /** Five iterations are too few for the other numbers next to thirty, but 256 evaluations are enough here. */
    @Test
    void groupsWithFewIterationsCountIfTheyPaidEnough() throws IOException {
        run(KQ, 1, 8, 30, x -> x);
        run(LARGE, 1, 64, 5, x -> x);
        assertThat(row(200, "large", Statistic.RETURN_AT_BUDGET).value()).isCloseTo(200, within(1e-9));
        assertThat(row(200, "kq", Statistic.RETURN_AT_BUDGET).value()).isCloseTo(200, within(1e-9));
        assertThat(row(200, "large", Statistic.AUC_TO_BUDGET).value()).isCloseTo(100, within(1e-9));
        assertThat(row(200, "kq", Statistic.AUC_TO_BUDGET).value()).isCloseTo(100, within(1e-9));
    }

    /** Iterations 2 to 4 are sampled after 3 evaluations; the last of them counts. */
    @Test
    void theLastIterationBeforeTheNextPaymentCounts() throws IOException {
        Path run = SyntheticRuns.under(folder, 5).run("Hopper-v4", KQ, 1, 0, "finished", Map.of());
        Files.writeString(run.resolve("metrics.csv"), """
                iteration,steps,reward_evaluations,return_mean,seconds_sample
                1,100,3,1,0.5
                2,200,3,2,0.5
                3,300,3,3,0.5
                4,400,4,5,0.5
                5,500,4,4,0.5
                """);
        assertThat(row(3, "kq", Statistic.RETURN_AT_BUDGET).value()).isEqualTo(5);
        // from 1 to 5 in a straight line
        assertThat(row(3, "kq", Statistic.AUC_TO_BUDGET).value()).isCloseTo(3, within(1e-12));
        assertThat(row(4, "kq", Statistic.RETURN_AT_BUDGET).value()).isEqualTo(4);
    }

    @Test
    void aBudgetIsAtLeastOne() {
        assertThatThrownBy(() -> new Budget(0))
                .isInstanceOf(UserException.class)
                .hasMessage("--budget needs a whole number of at least 1, got '0'");
    }
}
