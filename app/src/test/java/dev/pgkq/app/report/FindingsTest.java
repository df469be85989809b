package dev.pgkq.app.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.study.RunFinder;
import dev.pgkq.app.study.Statistic;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.app.study.SyntheticRuns;
import dev.pgkq.statistics.Interval;
import dev.pgkq.train.Algorithm;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sentences claim no more than the intervals support. */
class FindingsTest {
    @TempDir
    private Path folder = Path.of("");

    private String sentences(Summary.Row... rows) {
        SyntheticRuns.under(folder, 3).finished("Hopper-v4", Algorithm.named("ppo-kq"), 1);
        Study study = Study.of(RunFinder.find(List.of(folder), _ -> {}));
        return String.join("\n", new Findings(study, new Summary(List.of(rows))).sentences())
                .replaceAll("<[^>]*>", "");
    }

    private static Summary.Row row(String label, Statistic statistic, double value, double low, double high) {
        return new Summary.Row(Summary.ALL_TASKS, "ppo", label, label, statistic, value, new Interval(low, high), 3);
    }

    @Test
    void theBestQuadratureIsComparedWithTheBestControl() {
        assertThat(sentences(
                        row("kq", Statistic.NORMALIZED_IQM, 0.5, 0.4, 0.6),
                        row("kq-plus", Statistic.NORMALIZED_IQM, 0.8, 0.7, 0.9),
                        row("random", Statistic.NORMALIZED_IQM, 0.1, 0, 0.2),
                        row("random-mean", Statistic.NORMALIZED_IQM, 0.85, 0.8, 0.9),
                        row("large", Statistic.NORMALIZED_IQM, 1, 0.9, 1.1)))
                .isEqualTo(
                        "PPO: kq-plus closes 80 % [70, 90] of the gap between the small and the large batch; for random-mean,"
                                + " the best control without quadrature, it is 85 % [80, 90].");
    }

    @Test
    void anIntervalFromTheSmallToTheLargeBatchIsNotResolved() {
        assertThat(sentences(
                        row("kq", Statistic.NORMALIZED_IQM, 0.5, -0.4, 1.6),
                        row("random", Statistic.NORMALIZED_IQM, 0.4, -0.1, 1)))
                .isEqualTo("PPO: how much of the gap between the small and the large batch kq closes is not resolved"
                        + " (50 % [-40, 160]); for random, the best control without quadrature, it is not resolved"
                        + " (40 % [-10, 100]).");
    }

    @Test
    void tablesSayWhatIsNotResolved() {
        assertThat(TableCells.percent(Optional.of(row("kq", Statistic.CATCH_UP, 0.5, -0.4, 1.6))))
                .contains("50 %", "[−40, 160]", "not resolved");
        assertThat(TableCells.percent(Optional.of(row("kq", Statistic.CATCH_UP, 0.5, -0.4, 0.9))))
                .doesNotContain("not resolved");
        assertThat(TableCells.percent(Optional.of(row("kq", Statistic.OVER_SMALL, 0.6, 0.4, 0.9))))
                .contains("not resolved");
        assertThat(TableCells.percent(Optional.of(row("kq", Statistic.OVER_SMALL, 0.9, Double.NaN, Double.NaN))))
                .doesNotContain("not resolved");
        assertThat(TableCells.withInterval(Optional.of(row("kq", Statistic.RETURN_AT_BUDGET, 0.5, -1, 2))))
                .doesNotContain("not resolved");
    }

    @ParameterizedTest
    @CsvSource({
        "0.9, 0.6, 1.0, runs.",
        "0.6, 0.4, 0.8, runs: not resolved",
        "0.2, 0.1, 0.4, it is worse",
        "0.9, NaN, NaN, too few seeds"
    })
    void aWinIsClaimedOnlyIfTheIntervalSupportsIt(double value, double low, double high, String words) {
        assertThat(sentences(row("kq", Statistic.OVER_RANDOM_MEAN, value, low, high)))
                .contains("kq wins " + Math.round(100 * value) + " %", words);
    }

    @Test
    void aLargeBatchThatIsNotAheadIsReported() {
        assertThat(sentences(row("kq", Statistic.CATCH_UP, Double.NaN, Double.NaN, Double.NaN)))
                .contains("the large batch is ahead of the small one on no task");
    }
}
