package dev.pgkq.batch;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import java.util.List;

/**
 * The N episodes of an iteration. They may be somewhere else: what is asked for is brought here, and nothing else is. It is
 * good until the next one is sampled.
 */
public interface EpisodeBatch {
    /** N. */
    int size();

    /** Steps of an episode. */
    int length(int episode);

    Ending ending(int episode);

    /** The return of each in the reward that is watched; costs nothing, and nothing may learn from it. */
    double[] monitored();

    /** What the policy saw and did in all of them. */
    Steps steps();

    /** These episodes as a whole, in this order. */
    List<Episode> take(int... episodes);

    /** Whether to take all of them costs nothing. */
    boolean isHere();

    /** What a kernel says of them. */
    KernelView view(EpisodicKernel kernel);
}
