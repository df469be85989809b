package dev.pgkq.app.logged;

import dev.pgkq.episode.Steps;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.text.UserException;

/** A kernel between logged episodes. */
public interface EpisodeKernel {
    /** Computes the kernel between all episodes. */
    KernelMatrix matrix(LoggedEpisodes episodes, Workers workers);

    /**
     * The kernel between all episodes.
     *
     * @param gram the matrix
     * @param description the kernel, for people
     */
    record KernelMatrix(GramMatrix gram, String description) {}

    /**
     * Checks that the padded steps fit into an array, which holds at most 2³¹ numbers. Episodes are padded to multiples of 32
     * steps.
     */
    static void requireCapacity(Steps steps, int numbersPerStep) {
        long rows = 0;
        for (int i = 0; i < steps.episodes(); i++) {
            rows += Math.ceilDiv(steps.length(i), 32) * 32L;
        }
        if (rows * numbersPerStep > Integer.MAX_VALUE) {
            throw new UserException(steps.size() + " steps of " + numbersPerStep
                    + " numbers each are more than a kernel can process; use fewer episodes");
        }
    }
}
