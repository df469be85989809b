package dev.pgkq.benchmarks;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.gp.FeatureGram;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
            TrainSettings settings = TrainSettings.defaults(Algorithm.named(algorithm), SEED);
            int stage = effort.rounds(20);
            FeatureGram features = new FeatureGram(settings.selection().gramFeatures(), SEED);
            List<SecondChoice.Errors> errors =
                    SecondChoice.train(task, settings, 2 * stage, kernel -> kernel.withGram(features));
            rows.add(row(settings, errors, 1, stage));
            rows.add(row(settings, errors, stage + 1, 2 * stage));
        }
        return rows;
    }

    private static Row row(TrainSettings settings, List<SecondChoice.Errors> errors, int from, int to) {
        double exact = 0;
        double approximate = 0;
        for (SecondChoice.Errors each : errors.subList(from - 1, to)) {
            exact += Math.sqrt(each.own()) / (to - from + 1);
            approximate += Math.sqrt(each.other()) / (to - from + 1);
        }
        return Row.ratioAtMost(
                String.format(
                        Locale.ROOT,
                        "%s on Hopper-v4, iterations %d to %d: true wce of episodes chosen by %d features",
                        settings.algorithm().id(),
                        from,
                        to,
                        settings.selection().gramFeatures()),
                String.format(Locale.ROOT, "%.3g", approximate),
                String.format(Locale.ROOT, "%.3g", exact),
                approximate / exact,
                TARGET);
    }
}
