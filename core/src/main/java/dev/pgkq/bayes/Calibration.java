package dev.pgkq.bayes;

import dev.pgkq.state.Snapshot;

/**
 * How far predictions of squared errors can be trusted: the squared errors that were seen on newly paid episodes, over those that
 * were predicted. Recent episodes count more.
 */
public final class Calibration {
    /** The weight of an iteration falls by this factor with each later one. */
    private static final double KEEP = 0.8;

    /** The largest ratio of an iteration; a surprise beyond it says no more, and would take long to fade. */
    private static final double MOST = 1000;

    private static final int RATIOS = 0;
    private static final int COUNT = 1;

    /** Pooled sums, floats as in a checkpoint; they start with one episode that was as predicted. */
    private final float[] pooled = {1, 1};

    /** Creates a calibration that trusts predictions. */
    public Calibration() {}

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
        pooled[RATIOS] = (float) (KEEP * pooled[RATIOS] + actual.length * Math.min(MOST, sum / expected));
        pooled[COUNT] = (float) (KEEP * pooled[COUNT] + actual.length);
    }

    /** {@return actual over predicted squared errors} */
    public double inflation() {
        return pooled[RATIOS] / pooled[COUNT];
    }

    /** {@return how many episodes that ratio is an average of, recent ones and an assumed one to begin with; at least about 1} */
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
