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
 * <p>It can be had in blocks, each computed somewhere else: an entry's bits do not depend on the block that it is part of, as
 * long as all blocks have the same mean taken away and begin at multiples of {@link #alignment}.
 */
public interface EpisodicGram {
    /** The 20 of the formula: twice the squared length scale. */
    double TWICE_SQUARED_LENGTH = 20;

    /** K, N × N row by row, symmetric to the last bit and the same for any number of workers. */
    default double[] of(EmbeddedEpisodes episodes, Workers workers) {
        Part all = part(episodes, episodes.mean(), workers);
        return all.against(all, workers);
    }

    /**
     * Some of the episodes of a batch, ready to be put against others.
     *
     * @param mean of all embeddings of the batch
     */
    Part part(EmbeddedEpisodes episodes, double[] mean, Workers workers);

    /**
     * About how many seconds a core needs for the whole matrix; within a factor of two or so on a processor of these years.
     *
     * @param episodes N
     * @param steps of all of them together
     * @param dimensions of a step's weight
     */
    double seconds(int episodes, double steps, int dimensions);

    /** About how many bytes all episodes take as a part that is put against itself. */
    double bytes(int episodes, double steps, int dimensions);

    /** Numbers of the episodes that blocks begin with are multiples of this. */
    int alignment();

    /** Episodes of a batch that follow each other. */
    interface Part extends Serializable {
        /** How many they are. */
        int count();

        /** These and the ones that follow, of the same matrix. */
        Part and(List<Part> following);

        /**
         * The block of K between these episodes and others of the same matrix, row by row: themselves, or later ones.
         *
         * @param columns this part, or one of later episodes
         */
        double[] against(Part columns, Workers workers);
    }
}
