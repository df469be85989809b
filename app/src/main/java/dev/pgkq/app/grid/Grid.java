package dev.pgkq.app.grid;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.train.Algorithm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Runs for every combination of tasks, algorithms and seeds.
 *
 * @param tasks ids of the tasks
 * @param algorithms bases combined with variants
 * @param seeds of every combination
 * @param iterations the number of iterations of every run
 * @param settings further settings of every run
 */
public record Grid(
        List<String> tasks, List<Algorithm> algorithms, SeedRange seeds, int iterations, Map<Setting, Given> settings) {

    /**
     * One run of a grid.
     *
     * @param directory of the run, under the root of the grid
     * @param settings all settings of the run that are given
     */
    public record Cell(
            String task, Algorithm algorithm, int seed, RunDirectory directory, Map<Setting, Given> settings) {
        /** The name of the run in messages. */
        public String name() {
            return task + " " + algorithm.id() + " " + seed;
        }
    }

    /**
     * All runs, ordered by seed: whenever the grid is stopped, all tasks and algorithms have about the same number of
     * seeds.
     *
     * @param root folder of the grid
     */
    public List<Cell> cells(Path root) {
        List<Cell> cells = new ArrayList<>();
        for (int seed = seeds.first(); seed <= seeds.last(); seed++) {
            for (String task : tasks) {
                for (Algorithm algorithm : algorithms) {
                    cells.add(cell(root, task, algorithm, seed));
                }
            }
        }
        return cells;
    }

    private Cell cell(Path root, String task, Algorithm algorithm, int seed) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        // a grid has too many runs to replay their episodes
        given.put(Setting.KEEP_EPISODES, new Given("0", "--set"));
        given.putAll(settings);
        given.put(Setting.ENV, new Given(task, "--tasks"));
        given.put(Setting.ALGO, new Given(algorithm.id(), "--variants"));
        given.put(Setting.SEED, new Given(Integer.toString(seed), "--seeds"));
        given.put(Setting.ITERATIONS, new Given(Integer.toString(iterations), "--iterations"));
        return new Cell(task, algorithm, seed, directory(root, task, algorithm, seed), given);
    }

    /** The directory of a run in a grid. */
    public static RunDirectory directory(Path root, String task, Algorithm algorithm, long seed) {
        return new RunDirectory(
                root.resolve(RunDirectory.folder(task)).resolve(algorithm.id()).resolve("seed" + seed));
    }
}
