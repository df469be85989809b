package dev.pgkq.episode;

import dev.pgkq.policy.GaussianPolicy;
import java.util.List;

/** Samples the episodes of an iteration: the first stage of the pipeline. */
public interface EpisodeSource extends AutoCloseable {
    /** Episodes 0 … count − 1 of the iteration, in that order. The same arguments give the same bits. */
    List<Episode> sample(GaussianPolicy policy, int iteration, int count);

    @Override
    void close();
}
