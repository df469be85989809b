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
    /** {@return N, the number of episodes} */
    int size();

    /**
     * {@return the number of steps of an episode; 0 only if its simulation diverged in the first step}
     *
     * @param episode index in the batch, 0 … N − 1
     */
    int length(int episode);

    /**
     * {@return how an episode ended}
     *
     * @param episode index in the batch, 0 … N − 1
     */
    Ending ending(int episode);

    /** {@return the observations, actions and log-probabilities of all N episodes, in the order of the batch} */
    Steps steps();

    /**
     * {@return these episodes in full, in the order given}
     *
     * @param episodes indices in the batch, each 0 … N − 1
     */
    List<Episode> take(int... episodes);

    /** {@return whether all episodes are in the memory of this process, so that {@link #take} transfers nothing} */
    boolean isHere();

    /**
     * {@return the kernel's view of the batch: its Gram matrix and what belongs to it}
     *
     * @param kernel the kernel between episodes
     */
    KernelView view(EpisodicKernel kernel);
}
