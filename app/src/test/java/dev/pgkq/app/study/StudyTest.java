package dev.pgkq.app.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.app.config.Setting;
import dev.pgkq.statistics.Curve;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StudyTest {
    private static final Algorithm KQ = Algorithm.named("ppo-kq");
    private static final Algorithm SMALL = Algorithm.named("ppo");
    private static final Algorithm LARGE = Algorithm.named("ppo-large");

    @TempDir
    private Path folder = Path.of("");

    private Study study() {
        return Study.of(RunFinder.find(List.of(folder), _ -> {}));
    }

    private Summary summary(String... thresholds) {
        Study study = study();
        return SummaryBuilder.build(study, ReturnThresholds.of(List.of(thresholds), study), new Budget(Budget.USUAL));
    }

    @Test
    void runsAreGroupedByTaskBaseAndVariantWithSeedsAsRepetitions() {
        SyntheticRuns.under(folder.resolve("deep/down"), 10).grid(List.of("Hopper-v4", "Walker2d-v4"), 3);
        Study study = study();
        assertThat(study.tasks()).containsExactly("Hopper-v4", "Walker2d-v4");
        assertThat(study.comparisons()).hasSize(4);
        assertThat(study.groups()).hasSize(2 * 2 * Variant.values().length);
        assertThat(study.groups())
                .allSatisfy(group ->
                        assertThat(group.runs()).extracting(StudyRun::seed).containsExactly(1L, 2L, 3L));
        assertThat(study.comparisons().getFirst().groups())
                .extracting(Group::label)
                .startsWith("large", "kq-bayes", "kq-plus", "kq", "kq-no-mean", "small");
        assertThat(study.missing()).isEmpty();
        assertThat(study.excluded()).isEmpty();
    }

    @Test
    void runsThatDifferInASettingFormSeparateGroupsLabelledByIt() {
        SyntheticRuns.under(folder.resolve("a"), 10).finished("Hopper-v4", KQ, 1);
        SyntheticRuns.under(folder.resolve("b"), 10)
                .with(Setting.QUADRATURE, "herding")
                .finished("Hopper-v4", KQ, 1);
        SyntheticRuns.under(folder.resolve("c"), 10).with(Setting.THREADS, "3").finished("Hopper-v4", KQ, 2);
        assertThat(study().groups())
                .extracting(Group::label)
                .containsExactly("kq, quadrature search", "kq, quadrature herding");
        assertThat(study().groups().getFirst().seeds()).isEqualTo(2);
    }

    @Test
    void aDuplicateRunIsExcludedAndNamed() {
        SyntheticRuns.under(folder.resolve("a"), 10).run("Hopper-v4", KQ, 1, 8, "stopped", Map.of());
        SyntheticRuns.under(folder.resolve("b"), 10).finished("Hopper-v4", KQ, 1);
        Study study = study();
        assertThat(study.runs()).extracting(StudyRun::name).containsExactly("b/Hopper-v4_ppo-kq_seed1");
        assertThat(study.excluded())
                .containsExactly(
                        new ExcludedRun(
                                "a/Hopper-v4_ppo-kq_seed1",
                                "same settings and seed as b/Hopper-v4_ppo-kq_seed1, which has 10 iterations where this run has 8"));
    }

    @Test
    void aShortRunIsNoBeginningOfALongOneIfItsLearningRateFallsFaster() {
        SyntheticRuns.under(folder.resolve("a"), 8)
                .with(Setting.LEARNING_RATE_SCHEDULE, "linear")
                .finished("Hopper-v4", KQ, 1);
        SyntheticRuns.under(folder.resolve("b"), 10)
                .with(Setting.LEARNING_RATE_SCHEDULE, "linear")
                .finished("Hopper-v4", KQ, 1);
        assertThat(study().excluded()).isEmpty();
        assertThat(study().groups())
                .extracting(Group::label)
                .containsExactlyInAnyOrder("kq, iterations 8", "kq, iterations 10");
    }

    private void writeMetrics(long seed, String rows) throws IOException {
        Path run = SyntheticRuns.under(folder, 5).run("Hopper-v4", KQ, seed, 0, "finished", Map.of());
        Files.writeString(
                run.resolve("metrics.csv"), "iteration,steps,reward_evaluations,return_mean,seconds_sample\n" + rows);
    }

    @Test
    void theLastIterationAtANumberOfPaidRewardsCounts() throws IOException {
        writeMetrics(1, "1,1,3,1,1\n2,2,3,2,1\n3,3,3,3,1\n4,4,4,5,1\n5,5,4,4,1\n6,6,4,,1\n");
        writeMetrics(2, "1,1,2,-1,1\n2,2,2,0,1\n3,3,4,6,1\n4,4,4,7,1\n5,5,4,8,1\n");
        Comparison comparison = study().comparisons().getFirst();
        Group group = comparison.groups().getFirst();
        Curve first = group.runs().getFirst().curve(Axis.REWARD_EVALUATIONS);
        assertThat(first.x()).containsExactly(3, 4);
        assertThat(first.y()).containsExactly(3, 4);
        assertThat(group.runs().getFirst().curve(Axis.ITERATIONS).y()).containsExactly(1, 2, 3, 5, 4);
        // at 3 the second seed is half-way from 0 to 8
        assertThat(group.returns(Axis.REWARD_EVALUATIONS).x()).containsExactly(3, 4);
        assertThat(group.returns(Axis.REWARD_EVALUATIONS).mean()).containsExactly(3.5, 6);
    }

    /** Whether a return was reached depends on every iteration, not only on those that the curve of paid rewards shows. */
    @Test
    void aThresholdCanBeReachedInAnyIteration() throws IOException {
        writeMetrics(1, "1,1,3,1,1\n2,2,3,2,1\n3,3,3,3,1\n4,4,4,5,1\n5,5,4,4,1\n");
        Comparison comparison = study().comparisons().getFirst();
        StudyRun run = comparison.groups().getFirst().runs().getFirst();
        assertThat(comparison.paidToReach(run, 1)).hasValue(3);
        assertThat(comparison.paidToReach(run, 2.5)).hasValue(3);
        assertThat(comparison.paidToReach(run, 4)).hasValue(3.5);
        assertThat(comparison.paidToReach(run, 4.5)).hasValue(3.75);
        assertThat(comparison.paidToReach(run, 5.5)).isEmpty();
    }

    @Test
    void unequalLengthsAreComparedOnCommonIterations() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 20);
        runs.finished("Hopper-v4", SMALL, 1);
        runs.finished("Hopper-v4", LARGE, 1);
        runs.run("Hopper-v4", LARGE, 2, 15, "", Map.of());
        runs.run("Hopper-v4", KQ, 1, 3, "failed", Map.of("message", "the disk is full"));
        Comparison comparison = study().comparisons().getFirst();
        assertThat(comparison.iterations()).isEqualTo(15);
        assertThat(comparison.groups()).extracting(Group::label).containsExactly("large", "kq", "small");
        assertThat(comparison.compared()).extracting(Group::label).containsExactly("large", "small");
        assertThat(comparison.finalIterations()).isEqualTo(2);
        StudyRun run = comparison.groups().getFirst().runs().getFirst();
        double[] returns = run.metrics().column("return_mean");
        assertThat(comparison.finalReturn(run)).isCloseTo((returns[13] + returns[14]) / 2, within(1e-9));
        assertThat(run.curve(Axis.REWARD_EVALUATIONS, comparison.iterations()).last())
                .isEqualTo(15 * 64);
    }

    @Test
    void aRunThatFailedEarlyIsExcludedAndNamedWithTheReason() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 20);
        runs.finished("Hopper-v4", KQ, 1);
        runs.run("Hopper-v4", KQ, 2, 3, "failed", Map.of("message", "the disk is full"));
        Study study = study();
        assertThat(study.comparisons().getFirst().iterations()).isEqualTo(20);
        assertThat(study.excluded())
                .singleElement()
                .satisfies(run -> assertThat(run.reason()).contains("3 iterations", "failed: the disk is full"));
        assertThat(study.missing()).isEmpty();
    }

    @Test
    void unreadableRunsAreNamedAndTheOthersKept() throws IOException {
        SyntheticRuns runs = SyntheticRuns.under(folder, 5);
        runs.finished("Hopper-v4", KQ, 1);
        Path damaged = runs.finished("Hopper-v4", KQ, 2);
        Files.writeString(damaged.resolve("config.yaml"), "env: Hopper-v4\nsped: 3\n");
        Path empty = runs.run("Hopper-v4", KQ, 3, 0, "", Map.of());
        Path bare = runs.finished("Hopper-v4", KQ, 4);
        Files.delete(bare.resolve("metrics.csv"));
        Path garbled = runs.finished("Hopper-v4", KQ, 5);
        Files.writeString(garbled.resolve("metrics.csv"), "iteration,return_mean\n1,what\n");
        Study study = study();
        assertThat(study.runs()).hasSize(1);
        assertThat(study.excluded())
                .extracting(ExcludedRun::run)
                .containsExactlyInAnyOrder(
                        damaged.getFileName().toString(),
                        empty.getFileName().toString(),
                        bare.getFileName().toString(),
                        garbled.getFileName().toString());
        assertThat(study.excluded().toString())
                .contains("unknown key 'sped'", "no iteration yet", "no metrics.csv", "which is not a number")
                .doesNotContain(folder.toString());
    }

    @Test
    void missingVariantsAndSeedsAreNamed() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 5);
        runs.finished("Hopper-v4", KQ, 1);
        runs.finished("Hopper-v4", KQ, 2);
        runs.finished("Hopper-v4", SMALL, 2);
        runs.finished("Walker2d-v4", SMALL, 1);
        assertThat(study().missing())
                .containsExactly(
                        "Hopper-v4, ppo: small with seed 1",
                        "Walker2d-v4, ppo: no run of kq",
                        "Walker2d-v4, ppo: small with seed 2");
    }

    @Test
    void foldersWithoutRunsAreRejected() {
        assertThatThrownBy(this::study).isInstanceOf(UserException.class).hasMessageContaining("no runs under");
        assertThatThrownBy(() -> RunFinder.find(List.of(folder.resolve("nowhere")), _ -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("does not exist");
        SyntheticRuns.under(folder, 5).run("Hopper-v4", KQ, 3, 0, "", Map.of());
        assertThatThrownBy(this::study)
                .isInstanceOf(UserException.class)
                .hasMessageContaining("none of the 1 runs has completed an iteration");
    }

    @Test
    void theDefaultThresholdIsHalfWayBetweenTheBatches() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 30);
        runs.finished("Hopper-v4", SMALL, 1);
        runs.finished("Hopper-v4", LARGE, 1);
        Comparison comparison = study().comparisons().getFirst();
        double[] small = comparison
                .only(Variant.SMALL)
                .orElseThrow()
                .returns(Axis.ITERATIONS)
                .mean();
        double[] large = comparison
                .only(Variant.LARGE)
                .orElseThrow()
                .returns(Axis.ITERATIONS)
                .mean();
        double best = Arrays.stream(large).max().orElseThrow();
        ReturnThresholds defaults = ReturnThresholds.of(List.of(), study());
        assertThat(defaults.of(comparison)).hasValue((small[0] + best) / 2);
        assertThat(ReturnThresholds.of(List.of("Hopper-v4=12.5"), study()).of(comparison))
                .hasValue(12.5);
    }

    @Test
    void invalidThresholdsAreRejected() {
        SyntheticRuns.under(folder, 5).finished("Hopper-v4", KQ, 1);
        assertThatThrownBy(() -> ReturnThresholds.of(List.of("Hoper-v4=1"), study()))
                .hasMessageContaining("did you mean Hopper-v4?");
        assertThatThrownBy(() -> ReturnThresholds.of(List.of("Hopper-v4=high"), study()))
                .hasMessageContaining("needs a number");
        assertThatThrownBy(() -> ReturnThresholds.of(List.of("12"), study())).hasMessageContaining("TASK=VALUE");
    }

    @Test
    void aThresholdThatIsNotReachedIsInfinite() {
        SyntheticRuns runs = SyntheticRuns.under(folder, 10);
        runs.finished("Hopper-v4", KQ, 1);
        runs.finished("Hopper-v4", KQ, 2);
        Summary never = summary("Hopper-v4=1e9");
        Summary.Row row = never.find("Hopper-v4", "ppo", "kq", Statistic.EVALUATIONS_TO_THRESHOLD)
                .orElseThrow();
        assertThat(row.value()).isInfinite();
        assertThat(never.find("Hopper-v4", "ppo", "kq", Statistic.RUNS_REACHING)
                        .orElseThrow()
                        .value())
                .isZero();
        Summary atOnce = summary("Hopper-v4=-1e9");
        assertThat(atOnce.find("Hopper-v4", "ppo", "kq", Statistic.EVALUATIONS_TO_THRESHOLD)
                        .orElseThrow()
                        .value())
                .isEqualTo(8);
    }

    @Test
    void theNumbersOfAGroupFollowFromItsRuns() {
        SyntheticRuns.under(folder, 20).grid(List.of("Hopper-v4", "Walker2d-v4"), 4);
        Study study = study();
        Summary summary = summary();
        Comparison comparison = study.comparisons().get(1);
        assertThat(comparison.base()).isEqualTo(Base.PPO);
        Group kq = comparison.only(Variant.KQ).orElseThrow();
        double mean = 0;
        for (StudyRun run : kq.runs()) {
            double area =
                    Arrays.stream(run.metrics().column("return_mean")).average().orElseThrow();
            assertThat(summary.find("Hopper-v4", "ppo", "kq, seed " + run.seed(), Statistic.AUC)
                            .orElseThrow()
                            .value())
                    .isCloseTo(area, within(1e-9));
            mean += area / 4;
        }
        Summary.Row auc = summary.find("Hopper-v4", "ppo", "kq", Statistic.AUC).orElseThrow();
        assertThat(auc.value()).isCloseTo(mean, within(1e-9));
        assertThat(auc.count()).isEqualTo(4);
        Summary.Row catchUp =
                summary.find("Hopper-v4", "ppo", "kq", Statistic.CATCH_UP).orElseThrow();
        assertThat(catchUp.interval().low()).isLessThan(catchUp.value());
        assertThat(catchUp.interval().high()).isGreaterThan(catchUp.value());
        assertThat(summary.find("Hopper-v4", "ppo", "large", Statistic.CATCH_UP))
                .isEmpty();
        // the two batches are at the ends of the scale, apart from the effect of the interquartile mean
        assertThat(summary.find(Summary.ALL_TASKS, "ppo", "small", Statistic.NORMALIZED_IQM)
                        .orElseThrow()
                        .value())
                .isCloseTo(0, within(0.1));
        assertThat(summary.find(Summary.ALL_TASKS, "ppo", "large", Statistic.NORMALIZED_IQM)
                        .orElseThrow()
                        .value())
                .isCloseTo(1, within(0.1));
        assertThat(summary.find(Summary.ALL_TASKS, "ppo", "large", Statistic.OVER_SMALL)
                        .orElseThrow()
                        .value())
                .isEqualTo(1);
        assertThat(summary.find("Hopper-v4", "ppo", "kq", Statistic.WCE_RATIO)
                        .orElseThrow()
                        .value())
                .isBetween(0.4, 0.6);
        assertThat(summary.find("Hopper-v4", "ppo", "small", Statistic.WCE_RATIO))
                .isEmpty();
    }

    private static final String JUDGE = "exec:sh judge.sh";
    private static final String JUDGED = "Hopper-v4 (reward " + JUDGE + ")";

    @Test
    void runsWithExternalRewardsAreComparedByThePaidReturnApartFromTheOthers() {
        SyntheticRuns.under(folder.resolve("own"), 20).finished("Hopper-v4", KQ, 1);
        SyntheticRuns.under(folder.resolve("judged"), 20)
                .with(Setting.REWARD, JUDGE)
                .finished("Hopper-v4", KQ, 1);
        Study study = study();
        assertThat(study.tasks()).containsExactly("Hopper-v4", JUDGED);
        Comparison judged = study.comparisons().getLast();
        StudyRun run = judged.groups().getFirst().runs().getFirst();
        double[] paid = run.metrics().column("paid_return");
        double[] own = run.metrics().column("return_mean");
        assertThat(run.curve(Axis.ITERATIONS).y()).isEqualTo(paid);
        Summary summary = summary();
        assertThat(value(summary, JUDGED, Statistic.AUC))
                .isCloseTo(Arrays.stream(paid).average().orElseThrow(), within(1e-9));
        assertThat(value(summary, JUDGED, Statistic.FINAL_RETURN)).isCloseTo((paid[18] + paid[19]) / 2, within(1e-9));
        assertThat(value(summary, JUDGED, Statistic.FINAL_TASK_RETURN))
                .isCloseTo((own[18] + own[19]) / 2, within(1e-9));
        assertThat(value(summary, "Hopper-v4", Statistic.AUC)).isGreaterThan(1000);
        assertThat(summary.find("Hopper-v4", "ppo", "kq", Statistic.FINAL_TASK_RETURN))
                .isEmpty();
    }

    private static double value(Summary summary, String task, Statistic statistic) {
        return summary.find(task, "ppo", "kq", statistic).orElseThrow().value();
    }

    @Test
    void ratingsOnDifferentScalesAreDifferentTasks() {
        for (String scale : List.of("0..10", "1..5")) {
            SyntheticRuns.under(folder.resolve(scale), 5)
                    .with(Setting.REWARD, "human")
                    .with(Setting.RATING_SCALE, scale)
                    .finished("Hopper-v4", KQ, 1);
        }
        assertThat(study().tasks())
                .containsExactly("Hopper-v4 (reward human)", "Hopper-v4 (reward human, rating-scale 1..5)");
    }

    @Test
    void aThresholdIsInTheUnitOfOneReward() {
        SyntheticRuns.under(folder.resolve("judged"), 5)
                .with(Setting.REWARD, JUDGE)
                .finished("Hopper-v4", KQ, 1);
        assertThat(ReturnThresholds.of(List.of("Hopper-v4=5"), study())
                        .of(study().comparisons().getFirst()))
                .hasValue(5);
        SyntheticRuns.under(folder.resolve("rated"), 5)
                .with(Setting.REWARD, "human")
                .finished("Hopper-v4", KQ, 1);
        assertThatThrownBy(() -> ReturnThresholds.of(List.of("Hopper-v4=5"), study()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("different units");
        SyntheticRuns.under(folder.resolve("own"), 5).finished("Hopper-v4", KQ, 1);
        ReturnThresholds own = ReturnThresholds.of(List.of("Hopper-v4=1000"), study());
        assertThat(study().comparisons().stream().filter(own::isSpecified))
                .extracting(Comparison::task)
                .containsExactly("Hopper-v4");
    }

    @Test
    void aTaskWhoseOwnReturnIsAlwaysZeroHasNone() throws IOException {
        Path run = SyntheticRuns.under(folder, 5).with(Setting.REWARD, JUDGE).finished("Hopper-v4", KQ, 1);
        Files.writeString(
                run.resolve("metrics.csv"),
                "iteration,steps,reward_evaluations,return_mean,paid_return,seconds_sample\n1,9,8,0,3,1\n2,18,16,0,5,1\n");
        Group group = study().groups().getFirst();
        assertThat(group.returns(Axis.REWARD_EVALUATIONS).mean()).containsExactly(3, 5);
        assertThat(group.taskReturns(Axis.REWARD_EVALUATIONS).isEmpty()).isTrue();
        assertThat(summary().find(JUDGED, "ppo", "kq", Statistic.FINAL_TASK_RETURN))
                .isEmpty();
    }

    @Test
    void aSingleSeedHasNumbersWithoutIntervals() {
        SyntheticRuns.under(folder, 10).grid(List.of("Hopper-v4"), 1);
        assertThat(summary().rows())
                .isNotEmpty()
                .allSatisfy(row -> assertThat(row.interval().isKnown()).isFalse());
    }
}
