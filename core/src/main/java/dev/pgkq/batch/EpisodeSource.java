package dev.pgkq.batch;

import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import java.util.Optional;

/** Samples the episodes of an iteration: the first stage of the pipeline. */
public interface EpisodeSource extends AutoCloseable {
    /**
     * Samples episodes 0 … count − 1 of an iteration. The same arguments give the same bits.
     *
     * @param policy draws the actions; not modified
     * @param iteration the iteration of the run, from 1; keys the random numbers
     * @param count N, the number of episodes
     * @return the batch, and apart from it the monitored returns of its episodes
     */
    Sampled sample(Policy policy, int iteration, int count);

    @Override
    void close();

    /** Opens the source of a training run. */
    @FunctionalInterface
    interface Opener {
        /**
         * Opens a source.
         *
         * @param kernel the live kernel through which batches will be viewed; empty if there is none
         * @param workers threads of this process; not closed with the source
         * @return the source, which the caller closes
         */
        EpisodeSource open(Optional<EpisodicKernel> kernel, Workers workers);
    }
}
