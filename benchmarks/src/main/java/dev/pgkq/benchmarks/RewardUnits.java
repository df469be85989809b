package dev.pgkq.benchmarks;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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

    @Option(names = "--algos", split = ",", paramLabel = "NAME", description = "Algorithms (default: all with PPO).")
    private List<String> algorithms = Algorithm.all().stream()
            .filter(algorithm -> algorithm.base() == Base.PPO)
            .map(Algorithm::id)
            .toList();

    @Option(
            names = "--units",
            split = ",",
            paramLabel = "FACTOR[+OFFSET]",
            defaultValue = "1,1e-9,1e-3,1e3,1e9",
            description =
                    "Units (default: ${DEFAULT-VALUE}); an offset is written as 1+1000 or 1-1000. Differences are from"
                            + " the first one.")
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

    @Option(
            names = "--batch",
            paramLabel = "N",
            description = "Episodes sampled per iteration (default: that of the algorithm).")
    private @Nullable Integer batch;

    @Option(
            names = "--select",
            paramLabel = "n",
            description = "Episodes paid for per iteration (default: that of the algorithm).")
    private @Nullable Integer select;

    @Option(names = "--csv", paramLabel = "FILE", description = "Writes the return of every run.")
    private @Nullable Path csv;

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
    public Integer call() throws IOException {
        try {
            UnitReturns returns = new UnitReturns(algorithms, units, seeds, this::trained);
            System.out.printf(
                    "%s: return after %d iterations, mean ± standard deviation over %d seeds%n",
                    env, iterations, seeds);
            System.out.print(Table.markdown(returns.lines()));
            if (csv != null) {
                Files.writeString(csv, returns.csv(env));
            }
            return 0;
        } catch (UserException e) {
            System.err.println("pgkq bench: " + e.getMessage());
            return 2;
        }
    }

    private double trained(String algorithm, String unit, int seed) {
        double last = train(algorithm, unit, seed);
        System.err.printf("%s, %s, seed %d: %s%n", algorithm, unit, seed, last);
        return last;
    }

    private TrainSettings settings(Algorithm algorithm, int seed) {
        TrainSettings defaults = TrainSettings.defaults(algorithm, seed);
        TrainSettings sampled = batch == null ? defaults : defaults.withBatch(batch);
        return select == null ? sampled : sampled.withSelect(select);
    }

    private double train(String algorithm, String unit, int seed) {
        Task task = Tasks.named(env);
        TrainSettings settings = settings(Algorithm.named(algorithm), seed);
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
