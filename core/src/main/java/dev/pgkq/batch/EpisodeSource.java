package dev.pgkq.batch;

import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import java.util.Optional;

/** Samples the episodes of an iteration: the first stage of the pipeline. */
public interface EpisodeSource extends AutoCloseable {
    /** Episodes 0 … count − 1 of the iteration, in that order. The same arguments give the same bits. */
    EpisodeBatch sample(GaussianPolicy policy, int iteration, int count);

    @Override
    void close();

    /** Opens a source for a training. */
    @FunctionalInterface
    interface Opener {
        /**
         * @param kernel that batches may be asked to be seen by, as it is at the time; empty where none will be
         * @param workers of this process
         */
        EpisodeSource open(Optional<EpisodicKernel> kernel, Workers workers);
    }
}
