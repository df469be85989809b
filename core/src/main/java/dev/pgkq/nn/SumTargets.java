package dev.pgkq.nn;

/**
 * Sums of a function over groups of rows, for a {@link Regression} to be fitted to.
 *
 * @param starts where each group's rows start, and where the last one ends
 * @param inputs x, row by row
 * @param coefficients c, the factor of f of each row in its group's sum
 * @param values target of each group's sum
 * @param weights weight of each group, not negative
 */
public record SumTargets(int[] starts, float[] inputs, float[] coefficients, float[] values, float[] weights) {
    /**
     * Checks the sizes.
     *
     * @throws IllegalArgumentException if they do not match
     */
    public SumTargets {
        int rows = starts[starts.length - 1];
        if (coefficients.length != rows
                || values.length != starts.length - 1
                || weights.length != starts.length - 1
                || (rows > 0 && inputs.length % rows != 0)) {
            throw new IllegalArgumentException("sizes do not match: " + (starts.length - 1) + " groups of " + rows
                    + " rows, " + coefficients.length + " coefficients, " + values.length + " values, "
                    + weights.length + " weights, " + inputs.length + " input values");
        }
    }

    /** These targets in other units of f. */
    SumTargets in(Units units) {
        float[] standard = new float[values.length];
        for (int g = 0; g < standard.length; g++) {
            double count = 0;
            for (int i = starts[g]; i < starts[g + 1]; i++) {
                count += coefficients[i];
            }
            standard[g] = (float) units.standardize(values[g], count);
        }
        return new SumTargets(starts, inputs, coefficients, standard, weights);
    }

    /** The groups {@code order[from … to)}. */
    SumTargets of(int[] order, int from, int to) {
        int[] ends = new int[to - from + 1];
        for (int g = 0; g < to - from; g++) {
            ends[g + 1] = ends[g] + starts[order[from + g] + 1] - starts[order[from + g]];
        }
        int width = coefficients.length == 0 ? 0 : inputs.length / coefficients.length;
        float[] rows = new float[ends[to - from] * width];
        float[] counts = new float[ends[to - from]];
        float[] sums = new float[to - from];
        float[] shares = new float[to - from];
        for (int g = 0; g < sums.length; g++) {
            int group = order[from + g];
            int length = ends[g + 1] - ends[g];
            System.arraycopy(inputs, starts[group] * width, rows, ends[g] * width, length * width);
            System.arraycopy(coefficients, starts[group], counts, ends[g], length);
            sums[g] = values[group];
            shares[g] = weights[group];
        }
        return new SumTargets(ends, rows, counts, sums, shares);
    }
}
