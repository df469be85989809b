package dev.pgkq.train;

import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.model.Learner.Lesson;
import dev.pgkq.select.Selection;
import java.util.Map;

/**
 * What one iteration did.
 *
 * @param iteration 1, 2, …
 * @param steps environment steps since the run began
 * @param episodes episodes sampled since the run began
 * @param rewardEvaluations episodes paid for since the run began
 * @param returnMean mean undiscounted return of all episodes of this iteration by the reward that is monitored; never
 *     trained on
 * @param returnSe its standard error
 * @param paidReturn mean undiscounted return of all episodes of this iteration by the reward that is paid for, as the rule
 *     of the paid ones estimates it
 * @param lengthMean mean number of steps
 * @param endings how many episodes terminated, were truncated, diverged
 * @param step what the policy step did
 * @param valueLoss of the baseline
 * @param choice how good the chosen episodes are by the kernel that chose them
 * @param lesson what was learned from the paid rewards
 * @param seconds wall-clock time of each stage
 */
public record IterationReport(
        int iteration,
        long steps,
        long episodes,
        long rewardEvaluations,
        double returnMean,
        double returnSe,
        double paidReturn,
        double lengthMean,
        Endings endings,
        PolicyStep step,
        double valueLoss,
        Choice choice,
        Lesson lesson,
        Map<Stage, Double> seconds) {

    /** How the episodes of an iteration ended. */
    public record Endings(int terminated, int truncated, int diverged) {}

    /**
     * NaN where no kernel chose.
     *
     * @param error wce of the chosen episodes with their weights
     * @param errorOfRandom root of the expected wce² of as many episodes at random
     */
    public record Choice(double error, double errorOfRandom) {
        static Choice of(Selection selection) {
            return selection
                    .kernel()
                    .map(view -> new Choice(
                            Math.sqrt(view.gram().squaredError(selection.points())),
                            Math.sqrt(view.gram()
                                    .expectedSquaredErrorOfRandom(
                                            selection.points().size()))))
                    .orElse(new Choice(Double.NaN, Double.NaN));
        }
    }

    /** The stages of an iteration, in their order. */
    public enum Stage {
        SAMPLE,
        SELECT,
        REWARD,
        ADVANTAGE,
        POLICY,
        FIT,
        LEARN,
        /** Returns of all episodes for the curves, and what is kept for those who look on: not part of the algorithm. */
        MONITOR
    }

    public double totalSeconds() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
