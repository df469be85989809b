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
    public KernelMatrix matrix(LoggedEpisodes episodes, Workers workers) {
        EpisodeKernel.requireCapacity(episodes.steps(), 2 + episodes.observationSize() + episodes.actionSize());
        Comparison comparison;
        try {
            comparison = kernel.compare(episodes.steps(), workers);
        } catch (OutlyingStepException e) {
            throw new UserException(
                    episodes.describeStep(e.step()) + " is " + Numbers.brief(e.ratio())
                            + " times as far from the mean as typical steps are from each other. If this is an error in"
                            + " the data, fix it; otherwise remove the episode",
                    e);
        }
        return new KernelMatrix(
                comparison.gram(),
                "Gaussian of " + (kernel.inputs() == Inputs.RAW ? "raw" : "standardized") + " steps, length scale "
                        + Numbers.brief(comparison.lengthScale()));
    }
}
