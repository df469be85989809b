package dev.pgkq.nn;

import dev.pgkq.state.Snapshot;

/**
 * Units that follow the values of the last iterations: moving averages of their mean and variance. Mean and variance of the
 * first iteration are taken as they are; the weight of an iteration falls by a factor of {@value #KEEP} with each later one.
 *
 * <p>Values multiplied by a factor or shifted by an offset give units multiplied by the same factor and shifted by the same
 * offset.
 */
public final class RunningUnits {
    private static final double KEEP = 0.8;
    /** Values whose deviation is below this share of their mean are equal but for rounding. */
    private static final double ROUNDING = 1e-6;

    private static final int OFFSET = 0;
    private static final int SCALE = 1;
    private static final int VALUES = 2;

    /** Floats, as in a checkpoint, so that a resumed run has the same bits. */
    private final float[] values = new float[VALUES];

    private long updates;

    /** Creates units of values that have not been seen yet. */
    public RunningUnits() {}

    /**
     * Takes the values of an iteration into account.
     *
     * @param iteration mean and standard deviation of the iteration's values
     */
    public void add(Units iteration) {
        updates++;
        double share = (1 - KEEP) / (1 - Math.pow(KEEP, updates));
        double change = iteration.offset() - values[OFFSET];
        double earlier = square(values[SCALE]) + share * square(change);
        values[OFFSET] = (float) (values[OFFSET] + share * change);
        values[SCALE] = (float) Math.sqrt((1 - share) * earlier + share * square(iteration.scale()));
    }

    private static double square(double value) {
        return value * value;
    }

    /** {@return the current units; the scale is 0 while all values are equal} */
    public Units current() {
        boolean varies = values[SCALE] > ROUNDING * Math.abs(values[OFFSET]);
        return new Units(values[OFFSET], varies ? values[SCALE] : 0);
    }

    /**
     * Adds offset, scale and the number of updates to a checkpoint.
     *
     * @param name prefix of the entries' names
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        into.tensor(name, values.clone(), VALUES);
        into.counter(name + "/updates", updates);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name prefix of the entries' names
     * @param saved the checkpoint
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, Snapshot saved) {
        System.arraycopy(saved.values(name, VALUES), 0, values, 0, VALUES);
        updates = saved.counter(name + "/updates");
        if (updates < 0) {
            throw new IllegalArgumentException("'" + name + "/updates' of the saved state is " + updates);
        }
    }
}
