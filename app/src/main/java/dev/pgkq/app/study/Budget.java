package dev.pgkq.app.study;

import dev.pgkq.statistics.Curve;
import dev.pgkq.text.UserException;
import java.util.List;

/**
 * A limit on the number of paid rewards, to measure the return that a run achieves with it. Only runs that spent the budget
 * and then sampled another iteration show that return; the others are excluded.
 *
 * @param evaluations number of paid rewards, one per episode
 */
public record Budget(int evaluations) {
    /** The default number of evaluations. */
    public static final int USUAL = 200;

    /** The command-line option. */
    public static final String OPTION = "--budget";

    public Budget {
        if (evaluations < 1) {
            throw new UserException(OPTION + " needs a whole number of at least 1, got '" + evaluations + "'");
        }
    }

    /** The runs of a group that spent the budget. */
    List<StudyRun> spentBy(Group group) {
        return group.runs().stream().filter(run -> spent(run) >= evaluations).toList();
    }

    /** A run's mean return when the budget is spent, linearly interpolated between iterations. */
    double returnAt(StudyRun run) {
        return curve(run).at(evaluations);
    }

    /** A run's mean return up to the budget: the area under its curve per evaluation. */
    double meanReturn(StudyRun run) {
        return curve(run).meanUpTo(evaluations);
    }

    /** Number of rewards that a run had paid for before its last iteration. */
    public static double spent(StudyRun run) {
        Curve curve = curve(run);
        return curve.isEmpty() ? 0 : curve.last();
    }

    /**
     * The mean return as a function of the rewards paid before the iteration, because the policy that sampled it had learned
     * from those only. If the same number was paid before several iterations, the last one counts.
     */
    private static Curve curve(StudyRun run) {
        double[] paid = run.metrics().column(Axis.REWARD_EVALUATIONS.column());
        double[] before = new double[paid.length];
        System.arraycopy(paid, 0, before, Math.min(1, paid.length), Math.max(0, paid.length - 1));
        return StudyRun.lastAtEach(before, run.returns());
    }
}
