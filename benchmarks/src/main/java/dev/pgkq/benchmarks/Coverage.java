package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.model.BayesianRewardModel;
import dev.pgkq.model.Learner;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.select.Selection;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code pgkq bench coverage}: whether kq-bayes knows what it does not know. It counts how many returns of episodes that are not paid
 * for lie in the 90 % interval that is predicted for them before the model learns from the iteration, early in training and after the
 * policy has moved.
 */
@Command(
        name = "coverage",
        description = {
            "Counts how many returns of episodes that are not paid for lie in the 90 %% interval that kq-bayes predicts for them.",
            "The default takes about an hour. Use --tasks, --seeds and --stages for less."
        },
        mixinStandardHelpOptions = true)
final class Coverage implements Callable<Integer> {
    private static final double LEVEL = 0.9;

    @Option(
            names = "--tasks",
            split = ",",
            paramLabel = "ID",
            defaultValue = "InvertedDoublePendulum-v4,Hopper-v4,Walker2d-v4,HalfCheetah-v4",
            description = "Tasks (default: ${DEFAULT-VALUE}).")
    private List<String> tasks = List.of();

    @Option(
            names = "--seeds",
            paramLabel = "COUNT",
            defaultValue = "3",
            description = "Runs per task (default: ${DEFAULT-VALUE}).")
    private int seeds;

    @Option(
            names = "--first-seed",
            paramLabel = "SEED",
            defaultValue = "1",
            description = "Seed of the first run; the others follow (default: ${DEFAULT-VALUE}).")
    private int firstSeed;

    @Option(
            names = "--stages",
            split = ",",
            paramLabel = "LAST",
            defaultValue = "10,40",
            description = "Last iteration of each stage (default: ${DEFAULT-VALUE}).")
    private List<Integer> stages = List.of();

    @Option(names = "--threads", paramLabel = "K", defaultValue = "0", description = "Threads (default: all cores).")
    private int threads;

    /** The predicted returns of a stage of training. */
    private static final class Stage {
        private long within;
        private long all;
        private double squares;

        void add(Witness witness) {
            for (int e = 0; e < witness.errors.length; e++) {
                if (!witness.paid[e] && !Double.isNaN(witness.halfWidths[e])) {
                    within += Math.abs(witness.errors[e]) <= witness.halfWidths[e] ? 1 : 0;
                    squares += witness.errors[e] * witness.errors[e] / witness.variances[e];
                    all++;
                }
            }
        }
    }

    @Override
    public Integer call() {
        try {
            if (seeds < 1 || threads < 0 || stages.isEmpty() || stages.getFirst() < 2) {
                throw new UserException(
                        "--seeds needs at least 1, --threads at least 0, and --stages ascending iterations"
                                + " from 2 on");
            }
            System.out.println(
                    "| task | iterations | runs | in their 90 % intervals | squared errors over their expectation |");
            System.out.println("|---|---|---|---|---|");
            for (String id : tasks) {
                measure(id);
            }
            return 0;
        } catch (UserException e) {
            System.err.println("pgkq bench: " + e.getMessage());
            return 2;
        }
    }

    private void measure(String id) {
        Task task = Tasks.named(id);
        Stage[] found = new Stage[stages.size()];
        Arrays.setAll(found, stage -> new Stage());
        for (int run = 1; run <= seeds; run++) {
            Witness witness = new Witness();
            try (Trainer trainer = new Trainer(
                    task,
                    TrainSettings.defaults(Algorithm.named("ppo-kq-bayes"), firstSeed + run - 1),
                    threads > 0 ? threads : Runtime.getRuntime().availableProcessors())) {
                for (int k = 1, stage = 0; k <= stages.getLast(); k++) {
                    stage += k > stages.get(stage) ? 1 : 0;
                    trainer.iterate(witness);
                    found[stage].add(witness);
                    System.err.printf("\r%s: run %d of %d, iteration %d ", id, run, seeds, k);
                }
            }
        }
        System.err.println();
        for (int stage = 0; stage < found.length; stage++) {
            System.out.printf(
                    Locale.ROOT,
                    "| %s | %d to %d | %d | %.1f %% | %.3g |%n",
                    id,
                    // nothing is known in the first one
                    stage == 0 ? 2 : stages.get(stage - 1) + 1,
                    stages.get(stage),
                    seeds,
                    100.0 * found[stage].within / found[stage].all,
                    found[stage].squares / found[stage].all);
        }
    }

    /** Errors of predicted returns, and what is said of them. */
    private static final class Witness implements Observer {
        private double[] expected = {};
        private double[] variances = {};
        private double[] halfWidths = {};
        private double[] errors = {};
        private boolean[] paid = {};

        @Override
        public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
            paid = new boolean[batch.size()];
            for (int index : selection.points().indices()) {
                paid[index] = true;
            }
        }

        @Override
        public void paid(int iteration, PaidBatch bought, Learner learner) {
            BayesianRewardModel model = (BayesianRewardModel) learner;
            expected = model.expect(bought).orElseThrow();
            variances = model.variances(bought);
            halfWidths = model.halfWidths(bought, LEVEL);
        }

        @Override
        public void finished(IterationReport report, double[] monitored) {
            errors = new double[expected.length];
            Arrays.setAll(errors, e -> monitored[e] - expected[e]);
        }
    }
}
