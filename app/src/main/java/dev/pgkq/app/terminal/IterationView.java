package dev.pgkq.app.terminal;

import java.time.Duration;
import java.util.Optional;

/**
 * What is shown after an iteration. Unknown numbers are NaN.
 *
 * @param iteration the one just finished, from 1
 * @param total the number of iterations of the run
 * @param returnMean mean return of all episodes by the task's reward
 * @param returnSe standard error of that mean
 * @param paidReturn mean return by external rewards, estimated from those paid for; NaN if the task's rewards are used
 * @param lengthMean mean length of all episodes
 * @param rewardEvaluations evaluations paid for since the run started
 * @param stepsPerSecond speed of the iteration
 * @param diverged episodes of this iteration whose simulation diverged
 * @param end the iteration after which the run will end: the last one, or the last one that the budget pays for
 * @param ratings how long people took to rate episodes of this iteration; empty if no people rate
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
        int end,
        Optional<Duration> ratings) {
    /** An iteration of a run that ends with its last iteration. */
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
                total,
                Optional.empty());
    }

    /** The same iteration of a run in which people rate. */
    public IterationView ratedIn(Duration time) {
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
                end,
                Optional.of(time));
    }

    /**
     * The same iteration of a run with a budget, which ends when the rest of the budget may not suffice for an iteration.
     *
     * @param budget evaluations that may be paid for
     * @param most evaluations that an iteration may need; what iterations needed so far, on average, is the forecast
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
                (int) Math.min(total, iteration + more),
                ratings);
    }
}
