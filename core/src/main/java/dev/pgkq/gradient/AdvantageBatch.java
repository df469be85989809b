package dev.pgkq.gradient;

import dev.pgkq.episode.Steps;
import java.util.Arrays;

/**
 * The weighted samples of a policy step, in the same form for every algorithm. VPG maximizes Σ A log π(a|s), PPO
 * Σ min(q A, clip(q) A). Both are positively homogeneous in A, so weights, discounts and 1/N are part of the coefficient.
 *
 * @param size number of samples
 * @param observations s, row by row
 * @param actions a, row by row
 * @param oldLogProbs log π(a|s) under the policy that sampled them
 * @param coefficients A of each sample
 */
public record AdvantageBatch(
        int size, float[] observations, float[] actions, float[] oldLogProbs, float[] coefficients) {
    /**
     * Checks the lengths of the arrays.
     *
     * @throws IllegalArgumentException if one does not fit the number of samples
     */
    public AdvantageBatch {
        if (oldLogProbs.length != size
                || coefficients.length != size
                || (size > 0 && (observations.length % size != 0 || actions.length % size != 0))) {
            throw new IllegalArgumentException("sizes do not match: " + size + " samples, " + oldLogProbs.length
                    + " log-probabilities, " + coefficients.length + " coefficients, " + observations.length
                    + " observation values, " + actions.length + " action values");
        }
    }

    /**
     * {@return the steps of some episodes as samples, each with its coefficient}
     *
     * @param steps the steps of the episodes
     * @param coefficients A of each step
     * @throws IllegalArgumentException if there are not as many coefficients as steps
     */
    public static AdvantageBatch of(Steps steps, float[] coefficients) {
        return new AdvantageBatch(steps.size(), steps.observations(), steps.actions(), steps.logProbs(), coefficients);
    }

    /**
     * {@return these samples followed by more}
     *
     * @param more samples with observations and actions of the same sizes
     */
    public AdvantageBatch and(AdvantageBatch more) {
        return new AdvantageBatch(
                size + more.size,
                joined(observations, more.observations),
                joined(actions, more.actions),
                joined(oldLogProbs, more.oldLogProbs),
                joined(coefficients, more.coefficients));
    }

    private static float[] joined(float[] first, float[] second) {
        float[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }
}
