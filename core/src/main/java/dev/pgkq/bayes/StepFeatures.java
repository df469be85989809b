package dev.pgkq.bayes;

import dev.pgkq.state.Snapshot;

/** Features φ of a step that do not change after the first batch, from which they take their units. */
public interface StepFeatures {
    /** {@return the size of φ} */
    int size();

    /** {@return whether the units are known} */
    boolean isFixed();

    /**
     * Takes the units from the steps of the first batch.
     *
     * @param steps z, row by row; at least one
     */
    void fix(float[] steps);

    /**
     * Computes φ of some rows. Their bits depend on no other rows than these.
     *
     * @param steps z, row by row
     * @param from the first row
     * @param rows number of rows, at most {@link dev.pgkq.nn.ChunkedGradient#CHUNK_ROWS}
     * @param into receives φ, row by row
     */
    void compute(float[] steps, int from, int rows, float[] into);

    /**
     * Adds the units to a checkpoint; the rest follows from the seed.
     *
     * @param name what the names of the entries start with
     * @param into the checkpoint
     */
    void save(String name, Snapshot.Builder into);

    /**
     * Restores what {@link #save} saved.
     *
     * @param name what the names of the entries start with
     * @param saved the checkpoint
     * @throws IllegalArgumentException if it is not the state of such features
     */
    void restore(String name, Snapshot saved);
}
