package dev.pgkq.gp;

import dev.pgkq.parallel.Workers;
import java.io.Serializable;
import java.util.List;

/**
 * The Gram matrix of episodes under the episodic kernel
 *
 * <pre>
 *   K_ij = Σ_t Σ_u ⟨v_t, v_u⟩ exp(−‖f_t − f_u‖² / 20)   over the steps t of episode i and u of episode j.
 * </pre>
 *
 * <p>It can be computed in blocks, each on another machine: the bits of an entry do not depend on its block, as long as
 * the same mean is subtracted in all blocks and they start at multiples of {@link #alignment}.
 */
public interface EpisodicGram {
    /** The 20 of the formula: twice the squared length scale. */
    double TWICE_SQUARED_LENGTH = 20;

    /**
     * Computes K.
     *
     * @param episodes N of them
     * @param workers share the work; their number does not change the bits
     * @return K, N × N row by row, symmetric to the last bit
     */
    default double[] of(EmbeddedEpisodes episodes, Workers workers) {
        Part all = part(episodes, episodes.mean(), workers);
        return all.against(all, workers);
    }

    /**
     * Prepares some of the episodes of a batch for blocks of the matrix.
     *
     * @param episodes that follow each other
     * @param mean of all embeddings of the batch
     * @param workers share the work
     * @return the prepared episodes
     */
    Part part(EmbeddedEpisodes episodes, double[] mean, Workers workers);

    /**
     * Estimates the time of one core for the whole matrix, within a factor of about two on a current processor.
     *
     * @param episodes N
     * @param steps of all of them together
     * @param dimensions size of a weight
     * @return seconds
     */
    double seconds(int episodes, double steps, int dimensions);

    /**
     * Estimates the memory of the block of all episodes with themselves, without the matrix.
     *
     * @param episodes N
     * @param steps of all of them together
     * @param dimensions size of a weight
     * @return bytes
     */
    double bytes(int episodes, double steps, int dimensions);

    /** {@return the number of which the first episode of each block must be a multiple} */
    int alignment();

    /** Prepared episodes of a batch that follow each other. */
    interface Part extends Serializable {
        /** {@return the number of episodes} */
        int count();

        /**
         * Concatenates this part and those that follow it.
         *
         * @param following parts of the same matrix, in their order
         * @return one part
         */
        Part and(List<Part> following);

        /**
         * Computes the block of K between these episodes and others of the same matrix.
         *
         * @param columns this part itself, or a part of later episodes
         * @param workers share the work; their number does not change the bits
         * @return the block, row by row
         */
        double[] against(Part columns, Workers workers);
    }
}
