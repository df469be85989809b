package dev.pgkq.app.terminal;

/**
 * What there is to show after an iteration. A number that is not known is NaN.
 *
 * @param iteration the one just done, from 1
 * @param total how many there will be
 * @param returnMean mean return of all episodes by the task's reward
 * @param paidReturn the same by rewards from outside, estimated from those paid for; NaN where the task's are paid for
 * @param rewardEvaluations paid since the run began
 * @param diverged episodes of this iteration whose simulation blew up
 */
public record IterationView(
        int iteration,
        int total,
        double returnMean,
        double returnSe,
        double paidReturn,
        double lengthMean,
        long rewardEvaluations,
        double stepsPerSecond,
        int diverged) {}
