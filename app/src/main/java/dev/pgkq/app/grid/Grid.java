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
 * Tasks × algorithms × seeds, every combination a run.
 *
 * @param tasks by id
 * @param algorithms bases × variants
 * @param seeds 1 … that
 * @param iterations of every run
 * @param settings what all runs have besides
 */
public record Grid(
        List<String> tasks, List<Algorithm> algorithms, int seeds, int iterations, Map<Setting, Given> settings) {

    /**
     * One run of a grid.
     *
     * @param directory its own, under the root of the grid
     * @param settings all that is given for it
     */
    public record Cell(
            String task, Algorithm algorithm, int seed, RunDirectory directory, Map<Setting, Given> settings) {
        public String name() {
            return task + " " + algorithm.id() + " " + seed;
        }
    }

    /** The runs, seed by seed: whenever the grid is stopped, all that is compared has about as many seeds. */
    public List<Cell> cells(Path root) {
        List<Cell> cells = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
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
        // nobody replays the episodes of a hundred runs
        given.put(Setting.KEEP_EPISODES, new Given("0", "--set"));
        given.putAll(settings);
        given.put(Setting.ENV, new Given(task, "--tasks"));
        given.put(Setting.ALGO, new Given(algorithm.id(), "--variants"));
        given.put(Setting.SEED, new Given(Integer.toString(seed), "--seeds"));
        given.put(Setting.ITERATIONS, new Given(Integer.toString(iterations), "--iterations"));
        return new Cell(task, algorithm, seed, directory(root, task, algorithm, seed), given);
    }

    /** Where a grid keeps a run. */
    public static RunDirectory directory(Path root, String task, Algorithm algorithm, long seed) {
        return new RunDirectory(root.resolve(task).resolve(algorithm.id()).resolve("seed" + seed));
    }
}
