package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.LocalSource;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.model.Learner;
import dev.pgkq.parallel.Workers;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.select.KernelSelector;
import dev.pgkq.select.Selection;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The cost of choosing with random features: the true wce of the episodes that the approximate K chooses, against that of the
 * episodes that the exact K chooses, while an algorithm trains on Hopper-v4.
 */
final class FeatureChoice implements Benchmark {
    private static final double TARGET = 1.1;
    private static final long SEED = 1;

    @Override
    public String name() {
        return "features";
    }

    @Override
    public String doing() {
        return "episodes chosen with random features, on batches of Hopper-v4 (a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        Task task = Tasks.named("Hopper-v4");
        List<Row> rows = new ArrayList<>();
        for (String algorithm : List.of("ppo-kq", "ppo-kq-plus")) {
            rows.addAll(run(effort, task, TrainSettings.defaults(Algorithm.named(algorithm), SEED)));
        }
        return rows;
    }

    private static List<Row> run(Effort effort, Task task, TrainSettings settings) {
        Comparison comparison = new Comparison(settings);
        List<Row> rows = new ArrayList<>();
        int stage = effort.rounds(20);
        int threads = Runtime.getRuntime().availableProcessors();
        try (Trainer trainer = new Trainer(
                task,
                settings,
                RewardSource.of(new EnvironmentReward(task)),
                (kernel, workers) -> comparison.source(task, kernel, workers),
                new Workers(threads))) {
            for (int i = 1; i <= 2 * stage; i++) {
                trainer.iterate(comparison);
                if (i % stage == 0) {
                    rows.add(comparison.row(i - stage + 1, i));
                }
            }
        }
        return rows;
    }

    /** Chooses a second time from every batch, with random features, and compares. Training does not depend on it. */
    private static final class Comparison implements Observer {
        private final TrainSettings settings;
        private Optional<KernelSelector> byFeatures = Optional.empty();
        private double exact;
        private double approximate;

        Comparison(TrainSettings settings) {
            this.settings = settings;
        }

        /** Samples as training usually does, and takes note of the kernel that training chooses with. */
        EpisodeSource source(Task task, Optional<EpisodicKernel> kernel, Workers workers) {
            byFeatures = kernel.map(k -> new KernelSelector(
                    new EpisodicKernel(
                            k.steps(),
                            k.credits(),
                            new FeatureGram(settings.selection().gramFeatures(), settings.seed()),
                            k.noise()),
                    settings.selection().reweight().rule(settings.selection().quadrature()),
                    settings.episodes().select(),
                    settings.seed()));
            return new LocalSource(
                    new LocalRollouts(task, settings.seed(), RolloutMode.TRAINING, workers),
                    episode -> Double.NaN,
                    workers);
        }

        @Override
        public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
            GramMatrix gram = selection.kernel().orElseThrow().gram();
            Selection other = byFeatures.orElseThrow().select(batch, iteration);
            exact += Math.sqrt(gram.squaredError(selection.points()));
            approximate += Math.sqrt(gram.squaredError(other.points()));
        }

        @Override
        public void paid(int iteration, PaidBatch paid, Learner learner) {
            // the choice is made before
        }

        @Override
        public void finished(IterationReport report, double[] monitored) {
            // the choice is made before
        }

        /** The means since the last row. */
        Row row(int from, int to) {
            int iterations = to - from + 1;
            Row row = Row.ratioAtMost(
                    String.format(
                            Locale.ROOT,
                            "%s on Hopper-v4, iterations %d to %d: true wce of episodes chosen by %d features",
                            settings.algorithm().id(),
                            from,
                            to,
                            settings.selection().gramFeatures()),
                    String.format(Locale.ROOT, "%.3g", approximate / iterations),
                    String.format(Locale.ROOT, "%.3g", exact / iterations),
                    approximate / exact,
                    TARGET);
            approximate = 0;
            exact = 0;
            return row;
        }
    }
}
