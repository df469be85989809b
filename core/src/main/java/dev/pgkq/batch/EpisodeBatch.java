package dev.pgkq.batch;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import java.util.List;

/**
 * The N episodes of an iteration, without rewards. The episodes may be on other machines; only what is requested is
 * transferred. A batch is valid until its source samples the next one.
 */
public interface EpisodeBatch {
    /** Returns N, the number of episodes. */
    int size();

    /** Returns the number of steps of an episode. */
    int length(int episode);

    /** Returns how an episode ended. */
    Ending ending(int episode);

    /** Returns the observations, actions and log-probabilities of all N episodes. */
    Steps steps();

    /** Returns these episodes in full, in the order given. */
    List<Episode> take(int... episodes);

    /** Returns whether all episodes are in the memory of this process, so that {@link #take} transfers nothing. */
    boolean isHere();

    /** Returns the kernel's view of the batch: its Gram matrix and what belongs to it. */
    KernelView view(EpisodicKernel kernel);
}
