package dev.pgkq.statistics;

import java.util.List;

/**
 * The probability that a run of X is better than a run of Y: the share of pairs in which it is, where ties count a
 * half. That is the Mann–Whitney statistic divided by the number of pairs. Over several tasks it is the mean of the
 * tasks [1].
 *
 * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
 */
public final class Improvement {
    private Improvement() {}

    /**
     * Computes P(X &gt; Y) + ½ P(X = Y).
     *
     * @param x results of X
     * @param y results of Y
     * @return the probability; NaN if one of the samples is empty
     */
    public static double probability(double[] x, double[] y) {
        double won = 0;
        for (double ours : x) {
            for (double theirs : y) {
                won += ours > theirs ? 1 : ours == theirs ? 0.5 : 0;
            }
        }
        return won / ((double) x.length * y.length);
    }

    /**
     * Averages the probability over tasks.
     *
     * @param x results of X, one sample per task
     * @param y results of Y, in the same order of tasks
     * @return the mean probability
     */
    public static double probability(List<double[]> x, List<double[]> y) {
        double sum = 0;
        for (int task = 0; task < x.size(); task++) {
            sum += probability(x.get(task), y.get(task));
        }
        return sum / x.size();
    }
}
