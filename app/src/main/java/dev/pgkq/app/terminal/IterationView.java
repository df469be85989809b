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
 * @param end the iteration after which the run will end: the last one, or the last one that can be paid for
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
        int diverged,
        int end) {
    /** Of a run that nothing ends before its last iteration. */
    public IterationView(
            int iteration,
            int total,
            double returnMean,
            double returnSe,
            double paidReturn,
            double lengthMean,
            long rewardEvaluations,
            double stepsPerSecond,
            int diverged) {
        this(
                iteration,
                total,
                returnMean,
                returnSe,
                paidReturn,
                lengthMean,
                rewardEvaluations,
                stepsPerSecond,
                diverged,
                total);
    }

    /**
     * With a budget of rewards, which ends the run if an iteration may need more than is left of it.
     *
     * @param budget how many may be paid for
     * @param most how many an iteration may need; what it did need, on average, is what the next ones will
     */
    public IterationView within(long budget, int most) {
        long left = budget - rewardEvaluations;
        double each = Math.max(1, (double) rewardEvaluations / Math.max(1, iteration));
        double more = left < most ? 0 : 1 + Math.floor((left - most) / each);
        return new IterationView(
                iteration,
                total,
                returnMean,
                returnSe,
                paidReturn,
                lengthMean,
                rewardEvaluations,
                stepsPerSecond,
                diverged,
                (int) Math.min(total, iteration + more));
    }
}
