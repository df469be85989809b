package dev.pgkq.app.study;

import dev.pgkq.statistics.Curve;
import dev.pgkq.statistics.MeanCurve;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Runs that differ only in their seed.
 *
 * @param differences settings, by key, that distinguish this group from others of the same algorithm and task
 * @param runs at least one, sorted by seed
 */
public record Group(String task, Base base, Variant variant, Map<String, String> differences, List<StudyRun> runs) {
    public Group {
        runs = List.copyOf(runs);
    }

    /** The variant's name, followed by the settings that distinguish this group. */
    public String label() {
        StringBuilder label = new StringBuilder(name(variant));
        differences.forEach(
                (key, value) -> label.append(", ").append(key).append(' ').append(value));
        return label.toString();
    }

    /** A variant's name without the base: {@code kq-plus}. */
    public static String name(Variant variant) {
        return variant.label();
    }

    public int seeds() {
        return runs.size();
    }

    /** Number of iterations that all of its runs have. */
    public int iterations() {
        return runs.stream().mapToInt(StudyRun::iterations).min().orElse(0);
    }

    /** The mean return over the seeds. */
    public MeanCurve returns(Axis axis) {
        return mean(run -> run.curve(axis));
    }

    /** With external rewards, the mean return over the seeds in the task's own reward; empty if there is none. */
    public MeanCurve taskReturns(Axis axis) {
        return mean(run -> run.taskCurve(axis, Integer.MAX_VALUE));
    }

    /** The worst-case error relative to random selection, as the mean over the seeds. */
    public MeanCurve errorRatio() {
        return mean(StudyRun::errorRatio);
    }

    private MeanCurve mean(Function<StudyRun, Curve> curve) {
        return MeanCurve.of(runs.stream().map(curve).toList());
    }

    /** A number for every run. */
    public double[] each(ToDoubleFunction<StudyRun> number) {
        return runs.stream().mapToDouble(number).toArray();
    }
}
