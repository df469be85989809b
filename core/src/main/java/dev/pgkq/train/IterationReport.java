package dev.pgkq.train;

import dev.pgkq.gradient.PolicyGradient.PolicyStep;
import dev.pgkq.model.Learner.Lesson;
import dev.pgkq.select.Selection;
import java.util.Map;
import java.util.Optional;

/**
 * The results of one iteration.
 *
 * @param iteration 1, 2, …
 * @param steps environment steps since the start of the run
 * @param episodes episodes sampled since the start of the run
 * @param rewardEvaluations episodes paid for since the start of the run
 * @param paid episodes paid for in this iteration
 * @param unanswered why most of the rewards that this iteration asked for did not arrive, so that it trained on what is believed; empty
 *     if they did
 * @param returnMean mean undiscounted return of all episodes of this iteration in the monitored reward; never trained on
 * @param returnSe standard error of {@code returnMean}
 * @param paidReturn mean undiscounted return of all episodes of this iteration in the paid reward, as estimated by the
 *     weighted paid episodes, or by a belief about rewards
 * @param paidSpread how far the paid rewards are apart, see {@link dev.pgkq.purchase.PaidBatch#spread}
 * @param lengthMean mean number of steps
 * @param endings how many episodes terminated, were truncated or diverged
 * @param step result of the policy step
 * @param valueLoss loss of the baseline
 * @param choice quality of the chosen episodes
 * @param lesson what was learned from the paid rewards
 * @param seconds wall-clock time of each stage
 */
public record IterationReport(
        int iteration,
        long steps,
        long episodes,
        long rewardEvaluations,
        int paid,
        Optional<String> unanswered,
        double returnMean,
        double returnSe,
        double paidReturn,
        double paidSpread,
        double lengthMean,
        Endings endings,
        PolicyStep step,
        double valueLoss,
        Choice choice,
        Lesson lesson,
        Map<Stage, Double> seconds) {

    /**
     * How the episodes of an iteration ended.
     *
     * @param terminated episodes in which the task itself ended
     * @param truncated episodes that reached the time limit
     * @param diverged episodes whose simulation diverged
     */
    public record Endings(int terminated, int truncated, int diverged) {}

    /**
     * Quality of the chosen episodes; NaN where it is not known.
     *
     * @param error worst-case error of the chosen episodes with their weights, according to the kernel
     * @param errorOfRandom root of the expected squared worst-case error of as many random episodes
     * @param expected what a belief about rewards expects
     */
    public record Choice(double error, double errorOfRandom, Expected expected) {
        static Choice of(Selection selection) {
            Expected expected = selection
                    .forecast()
                    .map(forecast -> new Expected(forecast.before(), forecast.after(), forecast.inflation()))
                    .orElse(new Expected(Double.NaN, Double.NaN, Double.NaN));
            return selection
                    .kernel()
                    .map(view -> new Choice(
                            Math.sqrt(view.gram().squaredError(selection.points())),
                            Math.sqrt(view.gram()
                                    .expectedSquaredErrorOfRandom(
                                            selection.points().size())),
                            expected))
                    .orElse(new Choice(Double.NaN, Double.NaN, expected));
        }
    }

    /**
     * The expected squared error of the gradient, relative to the sampling error of N episodes.
     *
     * @param before if nothing was paid for
     * @param after with the chosen episodes
     * @param inflation how many times larger squared errors have been than the belief alone says; part of both
     */
    public record Expected(double before, double after, double inflation) {}

    /** The stages of an iteration, in their order. */
    public enum Stage {
        /** Sampling episodes. */
        SAMPLE,
        /** Choosing the episodes to pay for. */
        SELECT,
        /** Buying rewards. */
        REWARD,
        /** Computing advantages. */
        ADVANTAGE,
        /** The policy step. */
        POLICY,
        /** Fitting the baseline. */
        FIT,
        /** Learning from the paid rewards. */
        LEARN,
        /** Monitored returns and observers: not part of the algorithm. */
        MONITOR
    }

    /** {@return the wall-clock time of all stages of the iteration, in seconds} */
    public double totalSeconds() {
        return seconds.values().stream().mapToDouble(Double::doubleValue).sum();
    }
}
