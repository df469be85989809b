package dev.pgkq.app.study;

import dev.pgkq.statistics.Curve;
import dev.pgkq.text.UserException;
import java.util.List;

/**
 * So many rewards can be paid for and no more: what does a run make of them? Only a run that spent them all and went on to
 * sample can tell; how far another one would have come is not known.
 *
 * @param evaluations rewards paid for, one an episode
 */
public record Budget(int evaluations) {
    /** Unless something else is said. */
    public static final int USUAL = 200;

    /** The option that gives it. */
    public static final String OPTION = "--budget";

    public Budget {
        if (evaluations < 1) {
            throw new UserException(OPTION + " needs a whole number of at least 1, got '" + evaluations + "'");
        }
    }

    /** The runs that spent it. */
    List<StudyRun> spentBy(Group group) {
        return group.runs().stream().filter(run -> spent(run) >= evaluations).toList();
    }

    /** The mean return of a run when the budget is spent, between iterations by linear interpolation. */
    double returnAt(StudyRun run) {
        return curve(run).at(evaluations);
    }

    /** The mean return of a run on the way there: the area under its curve, for each evaluation. */
    double meanReturn(StudyRun run) {
        return curve(run).meanUpTo(evaluations);
    }

    /** What a run had paid for when it last showed what it can do. */
    public static double spent(StudyRun run) {
        Curve curve = curve(run);
        return curve.isEmpty() ? 0 : curve.last();
    }

    /** An iteration samples with what was learned from the rewards of those before it: these bought its return. */
    private static Curve curve(StudyRun run) {
        double[] paid = run.metrics().column(Axis.REWARD_EVALUATIONS.column());
        double[] before = new double[paid.length];
        System.arraycopy(paid, 0, before, Math.min(1, paid.length), Math.max(0, paid.length - 1));
        return Curve.of(before, run.metrics().column(StudyRun.RETURN));
    }
}
