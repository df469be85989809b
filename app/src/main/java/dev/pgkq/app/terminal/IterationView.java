package dev.pgkq.app.terminal;

/**
 * What there is to show after an iteration. A number that is not known is NaN.
 *
 * @param iteration the one just done, from 1
 * @param total how many there will be
 * @param rewardEvaluations paid since the run began
 * @param diverged episodes of this iteration whose simulation blew up
 */
public record IterationView(
        int iteration,
        int total,
        double returnMean,
        double returnSe,
        double lengthMean,
        long rewardEvaluations,
        double stepsPerSecond,
        int diverged) {}
