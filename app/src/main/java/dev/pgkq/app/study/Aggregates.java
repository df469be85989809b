package dev.pgkq.app.study;

import dev.pgkq.statistics.Bootstrap;
import dev.pgkq.statistics.Improvement;
import dev.pgkq.statistics.Interval;
import dev.pgkq.statistics.Samples;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Statistics over all tasks, following rliable [1]: scores are normalised per task to make runs of different tasks
 * comparable, with 0 for the mean of the small batch and 1 for the mean of the large batch.
 *
 * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
 */
final class Aggregates {
    private final List<Summary.Row> rows = new ArrayList<>();

    private Aggregates() {}

    /** A group on its task. */
    private record Entry(Comparison comparison, Group group) {
        /** The runs' normalised areas; empty if the large batch is not ahead of the small one. */
        Optional<double[]> normalised() {
            Optional<Group> small = comparison.reference(Variant.SMALL, group);
            Optional<Group> large = comparison.reference(Variant.LARGE, group);
            if (small.isEmpty() || large.isEmpty()) {
                return Optional.empty();
            }
            double zero = Samples.mean(small.get().each(comparison::area));
            double one = Samples.mean(large.get().each(comparison::area));
            return one > zero
                    ? Optional.of(group.each(run -> (comparison.area(run) - zero) / (one - zero)))
                    : Optional.empty();
        }
    }

    static List<Summary.Row> of(Study study) {
        Aggregates aggregates = new Aggregates();
        for (Base base : study.bases()) {
            Map<String, List<Entry>> entries = new LinkedHashMap<>();
            for (Variant variant : Study.ORDER) {
                for (Comparison comparison : study.comparisons()) {
                    comparison.compared().stream()
                            .filter(group -> group.base() == base && group.variant() == variant)
                            .forEach(group -> entries.computeIfAbsent(group.label(), _ -> new ArrayList<>())
                                    .add(new Entry(comparison, group)));
                }
            }
            entries.values().forEach(aggregates::add);
        }
        return aggregates.rows;
    }

    private void add(List<Entry> entries) {
        List<double[]> scores =
                entries.stream().flatMap(entry -> entry.normalised().stream()).toList();
        Group group = entries.getFirst().group();
        row(group, Statistic.TASKS, scores.size(), Interval.UNKNOWN, entries.size());
        if (!scores.isEmpty()) {
            int runs = scores.stream().mapToInt(sample -> sample.length).sum();
            row(
                    group,
                    Statistic.NORMALIZED_IQM,
                    Samples.interquartileMean(scores),
                    interval(group, Statistic.NORMALIZED_IQM, scores, Samples::interquartileMean),
                    runs);
        }
        addImprovement(entries, Variant.SMALL, Statistic.OVER_SMALL);
        addImprovement(entries, Variant.RANDOM_MEAN, Statistic.OVER_RANDOM_MEAN);
    }

    /** Both sides are resampled, task by task. */
    private void addImprovement(List<Entry> entries, Variant over, Statistic statistic) {
        List<double[]> ours = new ArrayList<>();
        List<double[]> theirs = new ArrayList<>();
        for (Entry entry : entries) {
            entry.comparison()
                    .reference(over, entry.group())
                    .filter(reference -> !reference.equals(entry.group()))
                    .ifPresent(reference -> {
                        ours.add(entry.group().each(entry.comparison()::area));
                        theirs.add(reference.each(entry.comparison()::area));
                    });
        }
        if (ours.isEmpty()) {
            return;
        }
        int tasks = ours.size();
        List<double[]> samples = new ArrayList<>(ours);
        samples.addAll(theirs);
        ToDoubleFunction<List<double[]>> probability =
                s -> Improvement.probability(s.subList(0, tasks), s.subList(tasks, s.size()));
        Group group = entries.getFirst().group();
        int runs = ours.stream().mapToInt(sample -> sample.length).sum();
        row(
                group,
                statistic,
                probability.applyAsDouble(samples),
                interval(group, statistic, samples, probability),
                runs);
    }

    private static Interval interval(
            Group group, Statistic statistic, List<double[]> samples, ToDoubleFunction<List<double[]>> function) {
        String name = String.join(
                "|", Arrays.asList(Summary.ALL_TASKS, Study.baseName(group.base()), group.label(), statistic.key()));
        return Bootstrap.interval(name, samples, function);
    }

    private void row(Group group, Statistic statistic, double value, Interval interval, int count) {
        rows.add(Summary.Row.of(Summary.ALL_TASKS, group, statistic, value, interval, count));
    }
}
