package dev.pgkq.statistics;

/**
 * How much of the gap between the small and the large batch an algorithm closes:
 *
 * <pre>(mean(x) − mean(small)) / (mean(large) − mean(small))</pre>
 *
 * 0 is as good as the small batch, 1 as good as the large one. The share may be negative or above 1.
 */
public final class CatchUp {
    private CatchUp() {}

    /**
     * Computes the share.
     *
     * @param small results of the small batch
     * @param x results of the algorithm
     * @param large results of the large batch
     * @return the share; NaN where the large batch is not ahead of the small one
     */
    public static double of(double[] small, double[] x, double[] large) {
        double start = Samples.mean(small);
        double way = Samples.mean(large) - start;
        return way > 0 ? (Samples.mean(x) - start) / way : Double.NaN;
    }
}
