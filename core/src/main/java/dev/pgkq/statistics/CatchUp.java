package dev.pgkq.statistics;

/**
 * How much of the way from the small to the large batch an algorithm makes good:
 *
 * <pre>(mean(x) − mean(small)) / (mean(large) − mean(small))</pre>
 *
 * 0 is as good as the small batch, 1 as good as the large one; it may lie outside.
 */
public final class CatchUp {
    private CatchUp() {}

    /** NaN where the large batch is not ahead of the small one: then there is no way to go. */
    public static double of(double[] small, double[] x, double[] large) {
        double start = Samples.mean(small);
        double way = Samples.mean(large) - start;
        return way > 0 ? (Samples.mean(x) - start) / way : Double.NaN;
    }
}
