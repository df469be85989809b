package dev.pgkq.statistics;

import java.util.List;

/**
 * The probability of improvement [1]: the share of pairs in which a run of X beats a run of Y, ties counting half. This is
 * the Mann–Whitney statistic divided by the number of pairs. Over several tasks it is the mean over tasks.
 *
 * <p>[1] R. Agarwal et al.: Deep reinforcement learning at the edge of the statistical precipice. NeurIPS 2021.
 */
public final class Improvement {
    private Improvement() {}

    /** P(X &gt; Y) + ½ P(X = Y); NaN if one of them is empty. */
    public static double probability(double[] x, double[] y) {
        double won = 0;
        for (double ours : x) {
            for (double theirs : y) {
                won += ours > theirs ? 1 : ours == theirs ? 0.5 : 0;
            }
        }
        return won / ((double) x.length * y.length);
    }

    /** The mean over tasks; {@code x} and {@code y} have one sample per task, in the same order. */
    public static double probability(List<double[]> x, List<double[]> y) {
        double sum = 0;
        for (int task = 0; task < x.size(); task++) {
            sum += probability(x.get(task), y.get(task));
        }
        return sum / x.size();
    }
}
