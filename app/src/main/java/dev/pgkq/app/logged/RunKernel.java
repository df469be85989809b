package dev.pgkq.app.logged;

import dev.pgkq.app.training.TrainedRun;
import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Method;
import dev.pgkq.train.TrainSettings;

/**
 * The kernel that a run has learned, applied to logged episodes as if the run had sampled them: with its features, its step
 * credits, and its policy's scores if the kernel uses them.
 *
 * @param gram computes the sums
 */
public record RunKernel(TrainedRun run, EpisodicGram gram) implements EpisodeKernel {
    @Override
    public KernelMatrix matrix(LoggedEpisodes logged, Workers workers) {
        requireSizes(logged);
        LoggedEpisodes episodes = run.task().spec().actions() instanceof ActionSpace.Discrete discrete
                ? logged.encoded(discrete)
                : logged;
        EpisodicKernel kernel = kernel(workers);
        EpisodeKernel.requireCapacity(
                episodes.steps(), 1 + DeepKernel.FEATURES + kernel.credits().dimensions());
        return new KernelMatrix(
                kernel.view(episodes.steps(), workers).gram(),
                "learned by " + run.path() + ", iteration " + run.snapshot().iteration());
    }

    /** Checks the sizes of observations and actions, before anything that takes long. */
    public void requireSizes(LoggedEpisodes episodes) {
        EnvironmentSpec spec = run.task().spec();
        if (spec.observationSize() != episodes.observationSize() || spec.actionSize() != episodes.actionSize()) {
            throw new UserException(
                    "the steps of " + run.task().id() + ", which " + run.path() + " was trained on, have "
                            + spec.observationSize() + " observations and "
                            + spec.actions().description() + ", but the logged steps have "
                            + episodes.observationSize() + " and " + episodes.actionSize()
                            + "; specify a run of the same task, or omit --run");
        }
    }

    private EpisodicKernel kernel(Workers workers) {
        TrainSettings settings = run.config().trainSettings();
        Policy policy = run.policy();
        Method method = Method.compose(run.task().spec(), settings, policy, workers);
        EpisodicKernel own = method.kernel()
                .orElseThrow(
                        () -> new UserException(
                                run.path() + " is a run of "
                                        + settings.algorithm().id()
                                        + ", which learns no kernel; specify a run of an algorithm with -kq in its name, or omit --run"));
        try {
            method.learner().restore(run.snapshot());
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "the checkpoint in " + run.path() + " does not match its config.yaml or this version: "
                            + e.getMessage(),
                    e);
        }
        return own.withGram(gram);
    }
}
