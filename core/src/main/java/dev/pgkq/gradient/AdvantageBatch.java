package dev.pgkq.gradient;

import dev.pgkq.episode.Steps;
import java.util.Arrays;

/**
 * The one list of weighted samples that serves every algorithm. VPG maximises Σ A log π(a|s), PPO Σ min(q A, clip(q) A);
 * both are positively homogeneous in A, so weights, discounts and 1/N are all inside the coefficient.
 *
 * @param size number of samples
 * @param observations s, row by row
 * @param actions a, row by row
 * @param oldLogProbs log π(a|s) of the policy that sampled them
 * @param coefficients A
 */
public record AdvantageBatch(
        int size, float[] observations, float[] actions, float[] oldLogProbs, float[] coefficients) {
    public AdvantageBatch {
        if (oldLogProbs.length != size
                || coefficients.length != size
                || (size > 0 && (observations.length % size != 0 || actions.length % size != 0))) {
            throw new IllegalArgumentException("sizes do not match: " + size + " samples, " + oldLogProbs.length
                    + " log-probabilities, " + coefficients.length + " coefficients, " + observations.length
                    + " observation values, " + actions.length + " action values");
        }
    }

    /** The steps of some episodes, each with its coefficient. */
    public static AdvantageBatch of(Steps steps, float[] coefficients) {
        return new AdvantageBatch(steps.size(), steps.observations(), steps.actions(), steps.logProbs(), coefficients);
    }

    /** These samples and those. */
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
