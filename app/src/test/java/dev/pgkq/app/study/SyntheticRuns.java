package dev.pgkq.app.study;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid;
import dev.pgkq.app.run.EventLog;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.training.MetricsRow;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.Base;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Variant;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Run directories as training writes them, with returns that resemble learning. */
public final class SyntheticRuns {
    private final Path root;
    private final int iterations;
    private boolean inGrid;
    private final Map<Setting, String> settings = new EnumMap<>(Setting.class);

    private SyntheticRuns(Path root, int iterations) {
        this.root = root;
        this.iterations = iterations;
    }

    public static SyntheticRuns under(Path root, int iterations) {
        return new SyntheticRuns(root, iterations);
    }

    /** Sets a value for all later runs. */
    public SyntheticRuns with(Setting setting, String value) {
        settings.put(setting, value);
        return this;
    }

    /** Puts all later runs where {@code pgkq reproduce} would. */
    public SyntheticRuns inGrid() {
        inGrid = true;
        return this;
    }

    /** Creates runs of all variants and bases on these tasks. */
    public void grid(List<String> tasks, int seeds) {
        for (String task : tasks) {
            for (Base base : Base.values()) {
                for (Variant variant : Variant.values()) {
                    for (int seed = 1; seed <= seeds; seed++) {
                        finished(task, new Algorithm(base, variant), seed);
                    }
                }
            }
        }
    }

    public Path finished(String task, Algorithm algorithm, long seed) {
        return run(task, algorithm, seed, iterations, "finished", Map.of("iteration", iterations));
    }

    /** Creates a run that ended in a given way after some of its iterations. */
    public Path run(String task, Algorithm algorithm, long seed, int done, String end, Map<String, ?> fields) {
        RunDirectory directory = begin(folder(task, algorithm, seed), task, algorithm, seed);
        try (EventLog events = EventLog.open(directory.events());
                MetricsFile metrics = MetricsFile.create(directory.metrics(), MetricsRow.COLUMNS)) {
            Map<String, Object> setup = new LinkedHashMap<>();
            setup.put("numerics", "OpenBLAS synthetic");
            setup.put("simd", "no SIMD");
            setup.put("java", "25");
            events.append("started", setup);
            write(metrics, task, algorithm, seed, done);
            if (!end.isEmpty()) {
                events.append(end, fields);
            }
        }
        return directory.path();
    }

    private Path folder(String task, Algorithm algorithm, long seed) {
        return inGrid
                ? Grid.directory(root, task, algorithm, seed).path()
                : root.resolve(task + "_" + algorithm.id() + "_seed" + seed);
    }

    private RunDirectory begin(Path folder, String task, Algorithm algorithm, long seed) {
        RunDirectory directory = new RunDirectory(folder);
        ConfigFile.write(directory.config(), RunConfig.of(given(task, algorithm, seed)));
        return directory;
    }

    private Map<Setting, Given> given(String task, Algorithm algorithm, long seed) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        given.put(Setting.ENV, new Given(task, "env"));
        given.put(Setting.ALGO, new Given(algorithm.id(), "algo"));
        given.put(Setting.SEED, new Given(Long.toString(seed), "seed"));
        given.put(Setting.ITERATIONS, new Given(Integer.toString(iterations), "iterations"));
        settings.forEach((setting, value) -> given.put(setting, new Given(value, setting.key())));
        return given;
    }

    private void write(MetricsFile metrics, String task, Algorithm algorithm, long seed, int done) {
        TrainSettings defaults = TrainSettings.defaults(algorithm, seed);
        RandomStream random = RandomStream.of(
                seed, Purpose.CHECK, task.hashCode(), algorithm.id().hashCode());
        double height = task.startsWith("Hopper") ? 3000 : 9000;
        double luck = 1 + 0.08 * random.nextGaussian();
        double steps = 0;
        for (int i = 1; i <= done; i++) {
            double progress = 1 - Math.exp(-3.0 * i / iterations * speed(algorithm.variant()));
            double length = 80 + 700 * progress + 20 * random.nextGaussian();
            steps += Math.round(length * defaults.sampled());
            Map<String, Number> row = new LinkedHashMap<>();
            row.put("iteration", i);
            row.put("steps", steps);
            row.put("episodes", i * defaults.sampled());
            row.put("reward_evaluations", i * defaults.paid());
            row.put("return_mean", height * luck * progress + height * 0.02 * random.nextGaussian());
            row.put("return_se", height * 0.02);
            row.put("length_mean", length);
            if (algorithm.variant().choosesByKernel()) {
                row.put("wce", 0.4 + 0.2 * random.nextDouble());
                row.put("wce_random", 1.0);
            }
            if (!RunConfig.of(given(task, algorithm, seed)).reward().isPresent()) {
                row.put("paid_return", 10 * luck * progress + 0.5 * random.nextGaussian());
            }
            row.put("seconds_sample", 0.5);
            row.put("seconds_policy", 0.25);
            metrics.append(row);
        }
    }

    private static double speed(Variant variant) {
        return switch (variant) {
            case LARGE -> 2.4;
            case KQ_PLUS, KQ_BAYES -> 2.0;
            case KQ -> 1.7;
            case RANDOM_BAYES -> 1.9;
            case RANDOM_MEAN -> 1.55;
            case IMPUTE -> 1.35;
            case MODEL_ONLY -> 1.2;
            case KQ_NO_MEAN -> 1.0;
            case RANDOM -> 0.8;
            case SMALL -> 0.7;
        };
    }
}
