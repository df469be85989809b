package dev.pgkq.bayes;

import dev.pgkq.state.Snapshot;

/**
 * How far predictions of squared errors can be trusted: the squared errors that were seen on newly paid episodes, over those that
 * were predicted. Recent episodes count more.
 */
public final class Calibration {
    /** The weight of an iteration falls by this factor with each later one that has a comparison. */
    private static final double KEEP = 0.8;

    /** The same for a calibration that starts with nothing and has to follow a policy that moves. */
    private static final double KEEP_LESS = 0.5;

    /** The largest ratio of an iteration; a surprise beyond it says no more, and would take long to fade. */
    private static final double MOST = 1000;

    private static final int RATIOS = 0;
    private static final int COUNT = 1;

    private final double keep;

    /** Pooled sums, floats as in a checkpoint. */
    private final float[] pooled;

    private Calibration(double keep, float... pooled) {
        this.keep = keep;
        this.pooled = pooled;
    }

    /** {@return a calibration that trusts predictions: as if one episode had been as predicted} */
    public static Calibration trusting() {
        return new Calibration(KEEP, 1, 1);
    }

    /** {@return a calibration that knows nothing, and forgets sooner} */
    public static Calibration unknown() {
        return new Calibration(KEEP_LESS, 0, 0);
    }

    /** {@return a copy, which has seen the same} */
    public Calibration copy() {
        return new Calibration(keep, pooled.clone());
    }

    /**
     * Compares errors with predictions.
     *
     * @param actual squared errors
     * @param predicted their expectations
     */
    public void add(double[] actual, double[] predicted) {
        double sum = 0;
        double expected = 0;
        for (int i = 0; i < actual.length; i++) {
            sum += actual[i];
            expected += predicted[i];
        }
        if (!(expected > 0)) {
            return;
        }
        pooled[RATIOS] = (float) (keep * pooled[RATIOS] + actual.length * Math.min(MOST, sum / expected));
        pooled[COUNT] = (float) (keep * pooled[COUNT] + actual.length);
    }

    /** {@return actual over predicted squared errors; 1 as long as nothing was compared} */
    public double inflation() {
        return pooled[COUNT] > 0 ? pooled[RATIOS] / pooled[COUNT] : 1;
    }

    /** {@return how many episodes that ratio is an average of, where earlier ones count less} */
    public double episodes() {
        return pooled[COUNT];
    }

    /**
     * Saves the pooled sums.
     *
     * @param name of the entry
     * @param into receives them
     */
    public void save(String name, Snapshot.Builder into) {
        into.tensor(name, pooled.clone(), pooled.length);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name of the entry
     * @param saved the checkpoint
     */
    public void restore(String name, Snapshot saved) {
        System.arraycopy(saved.values(name, pooled.length), 0, pooled, 0, pooled.length);
    }
}
