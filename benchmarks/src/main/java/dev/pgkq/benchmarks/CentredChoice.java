package dev.pgkq.benchmarks;

import dev.pgkq.benchmarks.SecondChoice.Errors;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The cost of choosing with raw scores where advantages are standardised: wce² of the episodes that the kernel of raw scores
 * chooses, against that of the episodes that the kernel of centred scores chooses. Both are errors for the kernel of centred
 * scores, which is that of the gradient.
 */
final class CentredChoice implements Benchmark {
    private static final int LAST = 10;

    @Override
    public String name() {
        return "centred";
    }

    @Override
    public String doing() {
        return "episodes chosen with raw and with centred scores (a few minutes)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        for (String id : List.of("InvertedDoublePendulum-v4", "Hopper-v4")) {
            Task task = Tasks.named(id);
            for (String algorithm : List.of("ppo-kq", "ppo-kq-plus", "ppo-kq-no-mean")) {
                List<List<Errors>> runs = new ArrayList<>();
                for (int seed = 1; seed <= effort.rounds(5); seed++) {
                    TrainSettings settings = TrainSettings.defaults(Algorithm.named(algorithm), seed);
                    runs.add(SecondChoice.train(task, settings, LAST, CentredChoice::raw));
                }
                rows.add(row(algorithm + " on " + id, runs, 1, 1));
                rows.add(row(algorithm + " on " + id, runs, 2, LAST));
            }
        }
        return rows;
    }

    private static EpisodicKernel raw(EpisodicKernel kernel) {
        return new EpisodicKernel(kernel.steps(), kernel.credits(), false, kernel.gram(), kernel.noise());
    }

    private static Row row(String where, List<List<Errors>> runs, int from, int to) {
        List<List<Errors>> stage =
                runs.stream().map(run -> run.subList(from - 1, to)).toList();
        Statistics logs = of(stage, each -> Math.log(each.other() / each.own()));
        return Row.forReference(
                String.format(
                        Locale.ROOT,
                        "%s, iterations %d to %d, %d runs: wce² of episodes chosen with centred and with raw scores,"
                                + " and the geometric mean of the ratio (± %.0f %%)",
                        where,
                        from,
                        to,
                        runs.size(),
                        100 * logs.standardError()),
                String.format(Locale.ROOT, "%.3g", of(stage, Errors::own).mean()),
                String.format(Locale.ROOT, "%.3g", of(stage, Errors::other).mean()),
                Math.exp(logs.mean()));
    }

    /** Statistics of the means of the runs: iterations of one run are not independent. */
    private static Statistics of(List<List<Errors>> runs, ToDoubleFunction<Errors> value) {
        return Statistics.of(runs.stream()
                .mapToDouble(run -> run.stream().mapToDouble(value).average().orElse(Double.NaN))
                .toArray());
    }
}
