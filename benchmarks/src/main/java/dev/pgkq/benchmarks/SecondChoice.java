package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.LocalSource;
import dev.pgkq.env.Task;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.model.Learner;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.select.KernelSelector;
import dev.pgkq.select.Selection;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Chooses a second time from every batch of a run, with another kernel, and compares. Training does not depend on it. */
final class SecondChoice implements Observer {
    private final TrainSettings settings;
    private final UnaryOperator<EpisodicKernel> change;
    private final List<Errors> errors = new ArrayList<>();
    private Optional<KernelSelector> other = Optional.empty();

    /**
     * The squared worst-case errors of two choices from a batch, both for the kernel of the run.
     *
     * @param own of the episodes that the run chooses
     * @param other of the episodes that the other kernel chooses
     */
    record Errors(double own, double other) {}

    private SecondChoice(TrainSettings settings, UnaryOperator<EpisodicKernel> change) {
        this.settings = settings;
        this.change = change;
    }

    /**
     * Trains on the task's own reward.
     *
     * @param change turns the run's kernel into the other one
     * @return the errors of every iteration
     */
    static List<Errors> train(Task task, TrainSettings settings, int iterations, UnaryOperator<EpisodicKernel> change) {
        SecondChoice choice = new SecondChoice(settings, change);
        int threads = Runtime.getRuntime().availableProcessors();
        try (Trainer trainer = new Trainer(
                task,
                settings,
                RewardSource.of(new EnvironmentReward(task)),
                (kernel, workers) -> choice.source(task, kernel, workers),
                new Workers(threads))) {
            for (int i = 0; i < iterations; i++) {
                trainer.iterate(choice);
            }
        }
        return choice.errors;
    }

    /** Samples as training usually does, and takes note of the kernel that training chooses with. */
    private EpisodeSource source(Task task, Optional<EpisodicKernel> kernel, Workers workers) {
        other = kernel.map(k -> new KernelSelector(
                change.apply(k),
                settings.selection().reweight().rule(settings.selection().quadrature()),
                settings.episodes().select().most(),
                settings.seed()));
        return new LocalSource(
                new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, workers),
                episode -> Double.NaN,
                workers);
    }

    @Override
    public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
        GramMatrix gram = selection.kernel().orElseThrow().gram();
        Selection second = other.orElseThrow().choose(batch, iteration);
        errors.add(new Errors(gram.squaredError(selection.points()), gram.squaredError(second.points())));
    }

    @Override
    public void paid(int iteration, PaidBatch paid, Learner learner) {
        // the choice is made before
    }

    @Override
    public void finished(IterationReport report, double[] monitored) {
        // the choice is made before
    }
}
