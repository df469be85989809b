package dev.pgkq.app.logged;

import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.kernel.GaussianEpisodeKernel.Comparison;
import dev.pgkq.kernel.GaussianEpisodeKernel.Inputs;
import dev.pgkq.kernel.GaussianEpisodeKernel.OutlyingStepException;
import dev.pgkq.parallel.Workers;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;

/**
 * The Gaussian kernel between logged episodes.
 *
 * @param kernel computes it
 */
public record GaussianKernel(GaussianEpisodeKernel kernel) implements EpisodeKernel {
    @Override
    public Seen of(LoggedEpisodes episodes, Workers workers) {
        EpisodeKernel.requireRoom(episodes.steps(), 2 + episodes.observationSize() + episodes.actionSize());
        Comparison comparison;
        try {
            comparison = kernel.compare(episodes.steps(), workers);
        } catch (OutlyingStepException e) {
            throw new UserException(
                    episodes.describe(e.step()) + " is " + Numbers.brief(e.ratio())
                            + " times as far from the mean as steps usually are from each other. Check the data; if it is"
                            + " right, leave the episode out",
                    e);
        }
        return new Seen(
                comparison.gram(),
                "Gaussian of " + (kernel.inputs() == Inputs.RAW ? "raw" : "standardized") + " steps, length scale "
                        + Numbers.brief(comparison.lengthScale()));
    }
}
