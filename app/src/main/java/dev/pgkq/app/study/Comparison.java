package dev.pgkq.app.study;

import dev.pgkq.statistics.Curve;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The groups with the same task and base.
 *
 * @param groups in the order of {@link Study#ORDER}
 * @param compared the groups in the statistics: those with at least half the iterations of the longest
 * @param iterations number of iterations that all compared groups have; the statistics cover these
 */
public record Comparison(String task, Base base, List<Group> groups, List<Group> compared, int iterations) {
    /** Groups with fewer iterations than this share of the longest are not compared. */
    private static final double MIN_SHARE = 0.5;
    /** The share of the iterations over which the final return is averaged. */
    private static final double FINAL_SHARE = 0.1;

    static Comparison of(String task, Base base, List<Group> groups) {
        int longest = groups.stream().mapToInt(Group::iterations).max().orElse(0);
        List<Group> compared = groups.stream()
                .filter(group -> group.iterations() >= MIN_SHARE * longest)
                .toList();
        int iterations = compared.stream().mapToInt(Group::iterations).min().orElse(0);
        return new Comparison(task, base, List.copyOf(groups), compared, iterations);
    }

    /** Number of final iterations over which the final return is averaged. */
    public int finalIterations() {
        return (int) Math.max(1, Math.round(FINAL_SHARE * iterations));
    }

    /** The mean return of a run over the common iterations, that is, the area under its curve per iteration. */
    public double area(StudyRun run) {
        return returns(run).mean();
    }

    /** The mean return of a run at the end of the common iterations. */
    public double finalReturn(StudyRun run) {
        return returns(run)
                .between(iterations - finalIterations() + 1, iterations)
                .mean();
    }

    /** The same in the task's own reward, with external rewards; NaN if there is none. */
    double finalTaskReturn(StudyRun run) {
        return run.taskCurve(Axis.ITERATIONS, iterations)
                .between(iterations - finalIterations() + 1, iterations)
                .mean();
    }

    /** Whether returns are those of external rewards. The reward is part of the task, so it is the same for all runs. */
    public boolean hasExternalRewards() {
        return groups.stream().flatMap(group -> group.runs().stream()).anyMatch(StudyRun::hasExternalRewards);
    }

    /** The mean of the worst-case error relative to random selection; NaN if there is none. */
    public double errorRatio(StudyRun run) {
        return run.errorRatio().between(0, iterations).mean();
    }

    private Curve returns(StudyRun run) {
        return run.curve(Axis.ITERATIONS, iterations);
    }

    /**
     * The rewards paid for until a run's mean return first reaches a threshold, interpolated linearly between iterations; empty if
     * it does not within the common iterations.
     */
    OptionalDouble paidToReach(StudyRun run, double threshold) {
        return returns(run).firstReaching(threshold).stream()
                .map(run.paid()::at)
                .findFirst();
    }

    /** The compared group of a variant, if there is exactly one. */
    public Optional<Group> only(Variant variant) {
        List<Group> candidates = candidates(variant);
        return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
    }

    /**
     * The reference for a group: the group of the given variant with the same differing settings, otherwise the only group
     * of that variant. Empty if there is none, or if it is ambiguous.
     */
    public Optional<Group> reference(Variant variant, Group of) {
        Optional<Group> same = candidates(variant).stream()
                .filter(group -> group.differences().equals(of.differences()))
                .findFirst();
        return same.isPresent() ? same : only(variant);
    }

    private List<Group> candidates(Variant variant) {
        return compared.stream().filter(group -> group.variant() == variant).toList();
    }
}
