package dev.pgkq.app.study;

import dev.pgkq.statistics.Bootstrap;
import dev.pgkq.statistics.CatchUp;
import dev.pgkq.statistics.Improvement;
import dev.pgkq.statistics.Interval;
import dev.pgkq.statistics.Samples;
import dev.pgkq.train.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Computes the statistics of each comparison; {@link Aggregates} adds those over all tasks. */
public final class SummaryBuilder {
    private final ReturnThresholds thresholds;
    private final Budget budget;
    private final List<Summary.Row> rows = new ArrayList<>();

    private SummaryBuilder(ReturnThresholds thresholds, Budget budget) {
        this.thresholds = thresholds;
        this.budget = budget;
    }

    public static Summary build(Study study, ReturnThresholds thresholds, Budget budget) {
        SummaryBuilder builder = new SummaryBuilder(thresholds, budget);
        study.comparisons().forEach(builder::add);
        builder.rows.addAll(Aggregates.of(study));
        return new Summary(builder.rows);
    }

    private void add(Comparison comparison) {
        addForComparison(comparison, comparison.compared(), Statistic.COMMON_ITERATIONS, comparison.iterations());
        OptionalDouble threshold = thresholds.of(comparison);
        threshold.ifPresent(value -> addForComparison(comparison, comparison.compared(), Statistic.THRESHOLD, value));
        for (Group group : comparison.compared()) {
            addSizes(group);
            addReturns(comparison, group);
            addCatchUp(comparison, group);
            threshold.ifPresent(value -> addReaching(comparison, group, value));
            addImprovement(comparison, group, Variant.SMALL, Statistic.OVER_SMALL);
            addImprovement(comparison, group, Variant.RANDOM_MEAN, Statistic.OVER_RANDOM_MEAN);
            addMeanIfKnown(group, Statistic.WCE_RATIO, group.each(comparison::errorRatio));
        }
        // these numbers depend on the rewards paid, so groups with few iterations are included
        addForComparison(comparison, comparison.groups(), Statistic.BUDGET, budget.evaluations());
        comparison.groups().forEach(this::addBudget);
    }

    private void addBudget(Group group) {
        List<StudyRun> runs = budget.spentBy(group);
        row(group, Statistic.RUNS_SPENDING_BUDGET, runs.size(), Interval.UNKNOWN, group.seeds());
        addBudget(group, runs, Statistic.RETURN_AT_BUDGET, budget::returnAt);
        addBudget(group, runs, Statistic.AUC_TO_BUDGET, budget::meanReturn);
    }

    private void addBudget(Group group, List<StudyRun> runs, Statistic statistic, ToDoubleFunction<StudyRun> number) {
        double[] values = runs.stream().mapToDouble(number).toArray();
        Interval interval = interval(group, statistic, List.of(values), samples -> Samples.mean(samples.getFirst()));
        row(group, statistic, Samples.mean(values), interval, values.length);
        runs.forEach(run -> addForRun(group, run, statistic, number.applyAsDouble(run)));
    }

    private void addSizes(Group group) {
        row(group, Statistic.SEEDS, group.seeds(), Interval.UNKNOWN, group.seeds());
        double paid = Samples.mean(group.each(StudyRun::rewardEvaluations));
        row(group, Statistic.REWARD_EVALUATIONS, paid, Interval.UNKNOWN, group.seeds());
    }

    private void addReturns(Comparison comparison, Group group) {
        double[] areas = group.each(comparison::area);
        addMean(group, Statistic.AUC, areas);
        addMean(group, Statistic.FINAL_RETURN, group.each(comparison::finalReturn));
        addMeanIfKnown(group, Statistic.FINAL_TASK_RETURN, group.each(comparison::finalTaskReturn));
        row(
                group,
                Statistic.IQM_AUC,
                Samples.interquartileMean(areas),
                interval(group, Statistic.IQM_AUC, List.of(areas), Samples::interquartileMean),
                areas.length);
        for (StudyRun run : group.runs()) {
            addForRun(group, run, Statistic.ITERATIONS, run.iterations());
            addForRun(group, run, Statistic.SECONDS, run.seconds());
            addForRun(group, run, Statistic.REWARD_EVALUATIONS, run.rewardEvaluations());
            addForRun(group, run, Statistic.AUC, comparison.area(run));
            addForRun(group, run, Statistic.FINAL_RETURN, comparison.finalReturn(run));
        }
    }

    private void addCatchUp(Comparison comparison, Group group) {
        Optional<Group> small = comparison.reference(Variant.SMALL, group);
        Optional<Group> large = comparison.reference(Variant.LARGE, group);
        if (small.isEmpty() || large.isEmpty() || group.equals(small.get()) || group.equals(large.get())) {
            return;
        }
        List<double[]> samples = List.of(
                small.get().each(comparison::area),
                group.each(comparison::area),
                large.get().each(comparison::area));
        ToDoubleFunction<List<double[]>> catchUp = s -> CatchUp.of(s.get(0), s.get(1), s.get(2));
        double value = catchUp.applyAsDouble(samples);
        Interval interval =
                Double.isNaN(value) ? Interval.UNKNOWN : interval(group, Statistic.CATCH_UP, samples, catchUp);
        row(group, Statistic.CATCH_UP, value, interval, group.seeds());
    }

    /** Runs that never reach the threshold count as infinite, which is all that the median needs. */
    private void addReaching(Comparison comparison, Group group, double threshold) {
        double[] paid = group.each(run -> comparison.paidToReach(run, threshold).orElse(Double.POSITIVE_INFINITY));
        long reached = Arrays.stream(paid).filter(Double::isFinite).count();
        row(group, Statistic.RUNS_REACHING, reached, Interval.UNKNOWN, paid.length);
        Interval range =
                paid.length < 2 ? Interval.UNKNOWN : new Interval(Samples.quantile(paid, 0), Samples.quantile(paid, 1));
        row(group, Statistic.EVALUATIONS_TO_THRESHOLD, Samples.median(paid), range, paid.length);
    }

    private void addImprovement(Comparison comparison, Group group, Variant over, Statistic statistic) {
        Optional<Group> reference = comparison.reference(over, group);
        if (reference.isEmpty() || reference.get().equals(group)) {
            return;
        }
        List<double[]> samples =
                List.of(group.each(comparison::area), reference.get().each(comparison::area));
        ToDoubleFunction<List<double[]>> probability = s -> Improvement.probability(s.get(0), s.get(1));
        row(
                group,
                statistic,
                probability.applyAsDouble(samples),
                interval(group, statistic, samples, probability),
                group.seeds());
    }

    private void addMeanIfKnown(Group group, Statistic statistic, double[] values) {
        double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
        if (known.length > 0) {
            addMean(group, statistic, known);
        }
    }

    private void addMean(Group group, Statistic statistic, double[] values) {
        double mean = Samples.mean(values);
        row(group, statistic, mean, Interval.around(mean, Samples.standardError(values)), values.length);
    }

    private static Interval interval(
            Group group, Statistic statistic, List<double[]> samples, ToDoubleFunction<List<double[]>> function) {
        String name = String.join("|", group.task(), Study.baseName(group.base()), group.label(), statistic.key());
        return Bootstrap.interval(name, samples, function);
    }

    private void addForComparison(Comparison comparison, List<Group> groups, Statistic statistic, double value) {
        int runs = groups.stream().mapToInt(Group::seeds).sum();
        String base = Study.baseName(comparison.base());
        rows.add(new Summary.Row(comparison.task(), base, "", "", statistic, value, Interval.UNKNOWN, runs));
    }

    private void addForRun(Group group, StudyRun run, Statistic statistic, double value) {
        rows.add(new Summary.Row(
                group.task(),
                Study.baseName(group.base()),
                Group.name(group.variant()),
                seedLabel(group, run),
                statistic,
                value,
                Interval.UNKNOWN,
                1));
    }

    /** The label of a single run's numbers. */
    public static String seedLabel(Group group, StudyRun run) {
        return group.label() + ", seed " + run.seed();
    }

    private void row(Group group, Statistic statistic, double value, Interval interval, int count) {
        rows.add(Summary.Row.of(group.task(), group, statistic, value, interval, count));
    }
}
