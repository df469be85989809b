package dev.pgkq.benchmarks;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code pgkq bench units}: whether the unit of rewards changes what is learned. */
@Command(
        name = "units",
        description = "Trains on a task's own reward r as FACTOR * r + OFFSET, and compares the returns in r.",
        mixinStandardHelpOptions = true)
final class RewardUnits implements Callable<Integer> {
    @Option(names = "--env", paramLabel = "ID", defaultValue = "InvertedDoublePendulum-v4", description = "The task.")
    private String env = "";

    @Option(
            names = "--algos",
            split = ",",
            paramLabel = "NAME",
            defaultValue = "ppo,ppo-large,ppo-kq,ppo-kq-no-mean,ppo-kq-plus,ppo-model-only",
            description = "Algorithms (default: ${DEFAULT-VALUE}).")
    private List<String> algorithms = List.of();

    @Option(
            names = "--units",
            split = ",",
            paramLabel = "FACTOR[+OFFSET]",
            defaultValue = "1e-9,1e-3,1,1e3,1e9",
            description = "Units (default: ${DEFAULT-VALUE}); an offset is written as 1+1000 or 1-1000.")
    private List<String> units = List.of();

    @Option(
            names = "--iterations",
            paramLabel = "COUNT",
            defaultValue = "25",
            description = "Iterations of a run (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
            names = "--seeds",
            paramLabel = "COUNT",
            defaultValue = "3",
            description = "Runs per algorithm and unit (default: ${DEFAULT-VALUE}).")
    private int seeds;

    private record InUnit(RewardOracle own, double factor, double offset) implements RewardOracle {
        static InUnit parse(RewardOracle own, String unit) {
            // a sign after an e belongs to the exponent
            String[] parts = unit.split("(?<=[0-9.])(?=[+-])", 2);
            try {
                return new InUnit(
                        own, Double.parseDouble(parts[0]), parts.length > 1 ? Double.parseDouble(parts[1]) : 0);
            } catch (NumberFormatException e) {
                throw new UserException(
                        "--units needs factors such as 1e-3, or 1+1000 with an offset, got '" + unit + "'");
            }
        }

        @Override
        public List<Rewards> evaluate(List<Episode> episodes) {
            return own.evaluate(episodes).stream()
                    .map(rewards -> new Rewards(Arrays.stream(rewards.values())
                            .map(reward -> factor * reward + offset)
                            .toArray()))
                    .toList();
        }

        @Override
        public void close() {
            own.close();
        }
    }

    @Override
    public Integer call() {
        try {
            System.out.printf(
                    "%s: return after %d iterations, mean ± standard deviation over %d seeds%n",
                    env, iterations, seeds);
            System.out.print(Table.markdown(lines()));
            return 0;
        } catch (UserException e) {
            System.err.println("pgkq bench: " + e.getMessage());
            return 2;
        }
    }

    private List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> headings = new ArrayList<>(List.of("algorithm"));
        units.forEach(unit -> headings.add("× " + unit));
        lines.add(headings);
        for (String algorithm : algorithms) {
            List<String> line = new ArrayList<>(List.of(algorithm));
            for (String unit : units) {
                double[] returns = new double[seeds];
                for (int seed = 1; seed <= seeds; seed++) {
                    System.err.printf("\r%s, %s, seed %d of %d          ", algorithm, unit, seed, seeds);
                    returns[seed - 1] = train(algorithm, unit, seed);
                }
                Statistics statistics = Statistics.of(returns);
                line.add(String.format(Locale.ROOT, "%.0f ± %.0f", statistics.mean(), statistics.deviation()));
            }
            lines.add(line);
        }
        System.err.println();
        return lines;
    }

    private double train(String algorithm, String unit, int seed) {
        Task task = Tasks.named(env);
        TrainSettings settings = TrainSettings.defaults(Algorithm.named(algorithm), seed);
        RewardSource paid = RewardSource.of(InUnit.parse(new EnvironmentReward(task), unit));
        int threads = Runtime.getRuntime().availableProcessors();
        double last = Double.NaN;
        try (Trainer trainer = new Trainer(task, settings, paid, new EnvironmentReward(task), threads)) {
            for (int i = 0; i < iterations; i++) {
                last = trainer.iterate().returnMean();
            }
        }
        return last;
    }
}
