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
                        "PPO: kq-plus closes 80 % [70, 90] of the gap between the small and the large batch; random-mean, the"
                                + " best control without quadrature, closes 85 % [80, 90].");
    }

    @ParameterizedTest
    @CsvSource({
        "0.9, 0.6, 1.0, runs.",
        "0.6, 0.4, 0.8, which may be chance",
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
