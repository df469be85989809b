package dev.pgkq.statistics;

/**
 * The share of the gap between the small and the large batch that an algorithm closes:
 *
 * <pre>(mean(x) − mean(small)) / (mean(large) − mean(small))</pre>
 *
 * 0 is as good as the small batch, 1 as good as the large one; values outside this range are possible.
 */
public final class CatchUp {
    private CatchUp() {}

    /** The catch-up of x; NaN if the large batch is not ahead of the small one, so that there is no gap. */
    public static double of(double[] small, double[] x, double[] large) {
        double start = Samples.mean(small);
        double gap = Samples.mean(large) - start;
        return gap > 0 ? (Samples.mean(x) - start) / gap : Double.NaN;
    }
}
