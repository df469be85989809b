package dev.pgkq.policy;

/**
 * What a value function is fitted to.
 *
 * @param size number of samples
 * @param observations states, row by row
 * @param values target of each state
 * @param weights weight of each state, not negative
 */
public record ValueTargets(int size, float[] observations, float[] values, float[] weights) {
    public ValueTargets {
        if (values.length != size || weights.length != size || (size > 0 && observations.length % size != 0)) {
            throw new IllegalArgumentException("sizes do not match: " + size + " samples, " + values.length
                    + " values, " + weights.length + " weights, " + observations.length + " observation values");
        }
    }

    double totalWeight() {
        double total = 0;
        for (float weight : weights) {
            total += weight;
        }
        return total;
    }
}
