package dev.pgkq.app.grid;

import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The grids that can be chosen by name. */
public enum NamedGrid {
    /** A first look: one task, PPO, two seeds. */
    QUICK(List.of("InvertedDoublePendulum-v4"), List.of(Base.PPO), 2, 40, List.of()),
    /** The paper's experiments, with its formulas and settings. */
    PAPER(
            List.of("InvertedDoublePendulum-v4", "Hopper-v4", "HalfCheetah-v4", "Walker2d-v4"),
            List.of(Base.VPG, Base.PPO),
            10,
            500,
            List.of("preset=paper"));

    /** The command-line option that chooses one. */
    public static final String OPTION = "--grid";

    private final List<String> tasks;
    private final List<Base> bases;
    private final int seeds;
    private final int iterations;
    private final List<String> settings;

    NamedGrid(List<String> tasks, List<Base> bases, int seeds, int iterations, List<String> settings) {
        this.tasks = tasks;
        this.bases = bases;
        this.seeds = seeds;
        this.iterations = iterations;
        this.settings = settings;
    }

    /** @throws UserException if there is no grid of that name */
    public static NamedGrid named(String name) {
        List<String> labels = Arrays.stream(values()).map(NamedGrid::label).toList();
        int at = labels.indexOf(name.strip());
        if (at < 0) {
            throw new UserException(OPTION + " needs one of " + String.join(", ", labels) + ", got '" + name + "'"
                    + NearestNames.hint(name, labels));
        }
        return values()[at];
    }

    private String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Ids of the tasks. */
    public List<String> tasks() {
        return tasks;
    }

    public List<Base> bases() {
        return bases;
    }

    /** The variants that the paper compares. */
    public List<Variant> variants() {
        return List.of(Variant.SMALL, Variant.KQ, Variant.KQ_NO_MEAN, Variant.LARGE);
    }

    /** The number of seeds of each task and algorithm. */
    public int seeds() {
        return seeds;
    }

    /** The number of iterations of every run. */
    public int iterations() {
        return iterations;
    }

    /** Settings of every run that differ from their defaults, as {@code KEY=VALUE}. */
    public List<String> settings() {
        return settings;
    }
}
