package dev.pgkq.gradient;

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
}
