package dev.pgkq.nn;

/**
 * What a {@link Regression} is fitted to.
 *
 * @param size number of samples
 * @param inputs x, row by row
 * @param values target of each row
 * @param weights weight of each row, not negative
 */
public record RegressionTargets(int size, float[] inputs, float[] values, float[] weights) {
    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if they do not match
     */
    public RegressionTargets {
        if (values.length != size || weights.length != size || (size > 0 && inputs.length % size != 0)) {
            throw new IllegalArgumentException("sizes do not match: " + size + " samples, " + values.length
                    + " values, " + weights.length + " weights, " + inputs.length + " input values");
        }
    }

    /** These targets in other units. */
    RegressionTargets in(Units units) {
        return new RegressionTargets(size, inputs, units.standardize(values), weights);
    }

    double totalWeight() {
        double total = 0;
        for (float weight : weights) {
            total += weight;
        }
        return total;
    }
}
