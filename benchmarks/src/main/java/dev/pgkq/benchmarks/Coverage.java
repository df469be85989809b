package dev.pgkq.benchmarks;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.model.BayesianRewardModel;
import dev.pgkq.model.Learner;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.select.Selection;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Observer;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/**
 * Whether kq-bayes knows what it does not know: how many returns of episodes that are not paid for lie in the 90 % interval that it
 * predicts for them before it learns from the iteration, early in training and after the policy has moved.
 */
final class Coverage implements Benchmark {
    private static final double QUANTILE_95 = 1.6449;
    private static final int[] STAGES = {10, 40};

    @Override
    public String name() {
        return "coverage";
    }

    @Override
    public String doing() {
        return "intervals of kq-bayes for returns that are not paid for (about ten minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        for (String id : List.of("InvertedDoublePendulum-v4", "Hopper-v4", "Walker2d-v4", "HalfCheetah-v4")) {
            Task task = Tasks.named(id);
            int seeds = effort.rounds(3);
            long[] within = new long[STAGES.length];
            long[] all = new long[STAGES.length];
            double[] squares = new double[STAGES.length];
            for (int seed = 1; seed <= seeds; seed++) {
                Witness witness = new Witness();
                try (Trainer trainer = new Trainer(
                        task,
                        TrainSettings.defaults(Algorithm.named("ppo-kq-bayes"), seed),
                        Runtime.getRuntime().availableProcessors())) {
                    for (int k = 1, stage = 0; k <= STAGES[STAGES.length - 1]; k++) {
                        stage += k > STAGES[stage] ? 1 : 0;
                        trainer.iterate(witness);
                        for (int e = 0; e < witness.errors.length; e++) {
                            within[stage] += Math.abs(witness.errors[e]) <= QUANTILE_95 ? 1 : 0;
                            all[stage]++;
                            squares[stage] += witness.errors[e] * witness.errors[e];
                        }
                    }
                }
            }
            for (int stage = 0; stage < STAGES.length; stage++) {
                rows.add(Row.forReference(
                        String.format(
                                Locale.ROOT,
                                "%s, iterations %d to %d, %d runs: share of returns in their 90 %% intervals, squared errors over"
                                        + " their expectation",
                                id,
                                stage == 0 ? 2 : STAGES[stage - 1] + 1,
                                STAGES[stage],
                                seeds),
                        String.format(Locale.ROOT, "%.1f %%", 100.0 * within[stage] / all[stage]),
                        "90 %",
                        squares[stage] / all[stage]));
            }
        }
        return rows;
    }

    /** Errors of predicted returns in units of their predicted standard deviations. */
    private static final class Witness implements Observer {
        private double[] expected = {};
        private double[] variances = {};
        private boolean[] paid = {};
        private double[] errors = {};

        @Override
        public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
            paid = new boolean[batch.size()];
            for (int index : selection.points().indices()) {
                paid[index] = true;
            }
        }

        @Override
        public void paid(int iteration, PaidBatch bought, Learner learner) {
            expected = learner.expect(bought).orElseThrow();
            variances = ((BayesianRewardModel) learner).variances(bought);
        }

        @Override
        public void finished(IterationReport report, double[] monitored) {
            double[] found = new double[expected.length];
            Arrays.setAll(found, e -> (monitored[e] - expected[e]) / Math.sqrt(variances[e]));
            errors = IntStream.range(0, found.length)
                    .filter(e -> !paid[e] && !Double.isNaN(found[e]))
                    .mapToDouble(e -> found[e])
                    .toArray();
        }
    }
}
