package dev.pgkq.gp;

import dev.pgkq.parallel.Workers;

/**
 * The Gram matrix of episodes under the episodic kernel
 *
 * <pre>
 *   K_ij = Σ_t Σ_u ⟨v_t, v_u⟩ exp(−‖f_t − f_u‖² / 20)   over the steps t of episode i and u of episode j.
 * </pre>
 */
public interface EpisodicGram {
    /** The 20 of the formula: twice the squared length scale. */
    double TWICE_SQUARED_LENGTH = 20;

    /** K, N × N row by row, symmetric to the last bit and the same for any number of workers. */
    double[] of(EmbeddedEpisodes episodes, Workers workers);

    /** {@link ExactGram} in plain Java, to compare with. */
    static EpisodicGram plain() {
        return (episodes, workers) -> ExactGram.of(episodes, workers, new PlainGramKernel());
    }
}
