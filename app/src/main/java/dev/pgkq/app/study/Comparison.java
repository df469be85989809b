package dev.pgkq.app.study;

import dev.pgkq.statistics.Curve;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.List;
import java.util.Optional;

/**
 * The groups that compete on one task with one base.
 *
 * @param groups in the order of {@link Study#ORDER}
 * @param compared those that are in the numbers: they have at least half the iterations of the longest
 * @param iterations what all compared groups have; numbers are of these
 */
public record Comparison(String task, Base base, List<Group> groups, List<Group> compared, int iterations) {
    /** A group with fewer iterations than this share of the longest has only begun. */
    private static final double BEGUN = 0.5;
    /** The share of the iterations that counts as the end. */
    private static final double END = 0.1;

    static Comparison of(String task, Base base, List<Group> groups) {
        int longest = groups.stream().mapToInt(Group::iterations).max().orElse(0);
        List<Group> compared = groups.stream()
                .filter(group -> group.iterations() >= BEGUN * longest)
                .toList();
        int iterations = compared.stream().mapToInt(Group::iterations).min().orElse(0);
        return new Comparison(task, base, List.copyOf(groups), compared, iterations);
    }

    /** How many iterations at the end the final return is the mean of. */
    public int finalIterations() {
        return (int) Math.max(1, Math.round(END * iterations));
    }

    /** The mean return of a run over the common iterations: the area under its curve for each iteration. */
    public double area(StudyRun run) {
        return returns(run).mean();
    }

    /** The mean return of a run at the end of the common iterations. */
    public double finalReturn(StudyRun run) {
        return returns(run)
                .between(iterations - finalIterations() + 1, iterations)
                .mean();
    }

    /** The mean of the worst-case error's ratio to random; NaN where there is none. */
    public double errorRatio(StudyRun run) {
        return run.errorRatio().between(0, iterations).mean();
    }

    private Curve returns(StudyRun run) {
        return run.curve(Axis.ITERATIONS, iterations);
    }

    /** The mean return against rewards paid for, over the common iterations. */
    public Curve paidReturns(StudyRun run) {
        return run.curve(Axis.REWARD_EVALUATIONS, iterations);
    }

    /** The compared group with that variant, if there is exactly one. */
    public Optional<Group> only(Variant variant) {
        List<Group> candidates = candidates(variant);
        return candidates.size() == 1 ? Optional.of(candidates.getFirst()) : Optional.empty();
    }

    /**
     * The group that this one is to be measured against: the one with that variant and the same differing settings, else
     * the only one with that variant. Empty where there is none, or where it is not clear which.
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
