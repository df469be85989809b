package dev.pgkq.benchmarks;

import dev.pgkq.env.Tasks;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.IterationReport.Stage;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The share of choosing episodes and learning about rewards in an iteration of Hopper-v4 with N = 64 and n = 8. */
final class Overhead implements Benchmark {
    private static final double TARGET = 0.25;
    private static final List<String> ALGORITHMS = List.of("ppo-kq", "ppo-kq-no-mean", "ppo-kq-plus");

    @Override
    public String name() {
        return "overhead";
    }

    @Override
    public String doing() {
        return "the share of quadrature and reward models in an iteration of Hopper-v4 (two minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        int iterations = effort.rounds(40);
        for (String id : ALGORITHMS) {
            TrainSettings settings = TrainSettings.defaults(Algorithm.named(id), 1);
            int threads = Runtime.getRuntime().availableProcessors();
            try (Trainer trainer = new Trainer(Tasks.named("Hopper-v4"), settings, threads)) {
                double added = 0;
                double all = 0;
                double length = 0;
                int counted = Math.max(1, iterations / 2);
                for (int i = 0; i < iterations; i++) {
                    IterationReport report = trainer.iterate();
                    if (i >= iterations - counted) {
                        added += seconds(report, Stage.SELECT)
                                + seconds(report, Stage.LEARN)
                                + seconds(report, Stage.ADVANTAGE);
                        all += report.totalSeconds() - seconds(report, Stage.MONITOR);
                        length += report.lengthMean() / counted;
                    }
                }
                String what = String.format(
                        Locale.ROOT,
                        "%s: choosing, learning and predicting, share of an iteration, mean length %.0f",
                        id,
                        length);
                rows.add(Row.ratioAtMost(
                        what,
                        String.format(Locale.ROOT, "%.0f ms", 1000 * added / counted),
                        String.format(Locale.ROOT, "%.0f ms", 1000 * all / counted),
                        added / all,
                        TARGET));
            }
        }
        return rows;
    }

    private static double seconds(IterationReport report, Stage stage) {
        return report.seconds().getOrDefault(stage, 0.0);
    }
}
