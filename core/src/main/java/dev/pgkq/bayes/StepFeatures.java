package dev.pgkq.bayes;

import dev.pgkq.state.Snapshot;

/** Features φ of a step that do not change after the first batch, to which they are fitted. */
public interface StepFeatures {
    /** {@return the size of φ} */
    int size();

    /** {@return whether the first batch is known} */
    boolean isFixed();

    /**
     * Fits the features to the steps of the first batch.
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
     * Adds what is known of the first batch to a checkpoint; the rest follows from the seed.
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
