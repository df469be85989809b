package dev.pgkq.app.logged;

import dev.pgkq.episode.Steps;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.text.UserException;

/** What makes two episodes alike. */
public interface EpisodeKernel {
    /** K between the episodes. */
    Seen of(LoggedEpisodes episodes, Workers workers);

    /**
     * Episodes as a kernel sees them.
     *
     * @param gram K
     * @param description of the kernel, for people
     */
    record Seen(GramMatrix gram, String description) {}

    /** An array holds 2³¹ numbers at most, and the steps of each episode are filled up to the width of two vectors. */
    static void requireRoom(Steps steps, int numbersOfStep) {
        long rows = 0;
        for (int i = 0; i < steps.episodes(); i++) {
            rows += Math.ceilDiv(steps.length(i), 32) * 32L;
        }
        if (rows * numbersOfStep > Integer.MAX_VALUE) {
            throw new UserException(steps.size() + " steps of " + numbersOfStep
                    + " numbers each are more than a kernel takes at once: take a part of the episodes");
        }
    }
}
