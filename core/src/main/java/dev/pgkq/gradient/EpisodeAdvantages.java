package dev.pgkq.gradient;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import java.util.Arrays;
import java.util.function.IntToDoubleFunction;

/** The advantages of the steps of several episodes, and the weight of each. */
final class EpisodeAdvantages {
    /** Advantages whose deviation is below this share of the largest are equal but for rounding. */
    private static final double ROUNDING = 1e-12;

    private final double[] advantages;
    private final double[] weights;

    private EpisodeAdvantages(double[] advantages, double[] weights) {
        this.advantages = advantages;
        this.weights = weights;
    }

    /**
     * Computes the advantages.
     *
     * @param returns R of every step
     * @param values V of every step
     * @param weight weight of an episode; step t counts with γ^t times that
     */
    static EpisodeAdvantages of(
            Steps steps, double[] returns, double[] values, Credit credit, IntToDoubleFunction weight) {
        double[] advantages = new double[steps.size()];
        double[] weights = new double[steps.size()];
        for (int e = 0; e < steps.episodes(); e++) {
            int from = steps.start(e);
            int to = steps.start(e + 1);
            double[] own = credit.form()
                    .advantages(
                            Arrays.copyOfRange(returns, from, to),
                            Arrays.copyOfRange(values, from, to),
                            credit.discount());
            double factor = weight.applyAsDouble(e);
            for (int t = 0; t < own.length; t++) {
                advantages[from + t] = own[t];
                weights[from + t] = factor;
                factor *= credit.stepFactor();
            }
        }
        return new EpisodeAdvantages(advantages, weights);
    }

    /** Shifts and scales to weighted mean 0 and variance 1. Returns the divisor. */
    double standardize() {
        return standardize(0);
    }

    /** Does the same, with {@code more} added to the weighted sum: the mean is that of both. Returns the divisor. */
    double standardize(double more) {
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        double mean = (sum() + more) / total;
        double squares = 0;
        double largest = 0;
        for (int i = 0; i < advantages.length; i++) {
            largest = Math.max(largest, Math.abs(advantages[i]));
            advantages[i] -= mean;
            squares += weights[i] * advantages[i] * advantages[i];
        }
        double deviation = Math.sqrt(squares / total);
        if (!(deviation > ROUNDING * largest)) {
            Arrays.fill(advantages, 0);
            return 1;
        }
        divide(deviation);
        return deviation;
    }

    /** Returns Σ of weight times advantage. */
    double sum() {
        double sum = 0;
        for (int i = 0; i < advantages.length; i++) {
            sum += weights[i] * advantages[i];
        }
        return sum;
    }

    void divide(double unit) {
        for (int i = 0; i < advantages.length; i++) {
            advantages[i] /= unit;
        }
    }

    /** Returns weight times advantage of every step. */
    double[] weighted() {
        double[] weighted = new double[advantages.length];
        for (int i = 0; i < weighted.length; i++) {
            weighted[i] = weights[i] * advantages[i];
        }
        return weighted;
    }

    /** Returns the same as samples have it. */
    float[] coefficients() {
        double[] weighted = weighted();
        float[] coefficients = new float[weighted.length];
        for (int i = 0; i < coefficients.length; i++) {
            coefficients[i] = (float) weighted[i];
        }
        return coefficients;
    }
}
