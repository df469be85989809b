package dev.pgkq.app.logged;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.kernel.GaussianEpisodeKernel.Comparison;
import dev.pgkq.kernel.GaussianEpisodeKernel.Inputs;
import dev.pgkq.kernel.GaussianEpisodeKernel.OutlyingStepException;
import dev.pgkq.parallel.Workers;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import java.util.Optional;

/**
 * The Gaussian kernel between logged episodes.
 *
 * @param kernel computes it
 * @param categories the categories of which the actions are the numbers; empty if actions are quantities
 */
public record GaussianKernel(GaussianEpisodeKernel kernel, Optional<ActionSpace.Discrete> categories)
        implements EpisodeKernel {
    /** A kernel of actions that are quantities. */
    public GaussianKernel(GaussianEpisodeKernel kernel) {
        this(kernel, Optional.empty());
    }

    @Override
    public KernelMatrix matrix(LoggedEpisodes logged, Workers workers) {
        categories.ifPresent(space -> requireSize(logged, space));
        LoggedEpisodes episodes = categories.map(logged::encoded).orElse(logged);
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

    private static void requireSize(LoggedEpisodes episodes, ActionSpace.Discrete space) {
        if (space.size() != episodes.actionSize()) {
            throw new UserException("--categories names " + space.size() + " of the " + episodes.actionSize()
                    + " numbers of an action; give the number of categories for each, separated by commas");
        }
    }
}
