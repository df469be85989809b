package dev.pgkq.env;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A named task, of which any number of simulators can be opened.
 *
 * @param id versioned name, such as {@code Pendulum-v1}
 * @param summary description in one line
 * @param simulator opens a new simulator that is independent of the others
 * @param yardstick which steps and returns are good; empty if unknown
 * @param group opens simulators that are stepped together
 * @param recorder opens what plays episodes again to show them; empty if there is nothing to show besides their states
 */
public record Task(
        String id,
        String summary,
        Supplier<Environment> simulator,
        Optional<Yardstick> yardstick,
        Supplier<Simulators> group,
        Optional<Supplier<Recorder>> recorder) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._:/-]*");

    /**
     * Checks the name.
     *
     * @throws IllegalArgumentException if the name has other characters than letters, digits and {@code . _ - : /}, or starts with
     *     a punctuation mark
     */
    public Task {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException("the task id '" + id
                    + "' must consist of letters, digits, dots, hyphens, underscores, colons and slashes");
        }
    }

    /**
     * Creates a task whose simulators are stepped one after the other.
     *
     * @param id versioned name, such as {@code Pendulum-v1}
     * @param summary description in one line
     * @param simulator opens a new simulator that is independent of the others
     * @param yardstick which steps and returns are good; empty if unknown
     * @throws IllegalArgumentException if the name is not allowed
     */
    public Task(String id, String summary, Supplier<Environment> simulator, Optional<Yardstick> yardstick) {
        this(id, summary, simulator, yardstick, () -> new SeparateSimulators(simulator), Optional.empty());
    }

    /**
     * Creates a task without a yardstick.
     *
     * @param id versioned name, such as {@code Pendulum-v1}
     * @param summary description in one line
     * @param simulator opens a new simulator that is independent of the others
     * @throws IllegalArgumentException if the name is not allowed
     */
    public Task(String id, String summary, Supplier<Environment> simulator) {
        this(id, summary, simulator, Optional.empty());
    }

    /**
     * {@return this task with a yardstick}
     *
     * @param by which steps and returns are good; replaces any earlier yardstick
     */
    public Task measuredBy(Yardstick by) {
        return new Task(id, summary, simulator, Optional.of(by), group, recorder);
    }

    /**
     * Opens a new simulator.
     *
     * @return the simulator, which the caller closes
     */
    public Environment open() {
        return simulator.get();
    }

    /**
     * Opens simulators that are stepped together.
     *
     * @return the simulators, which the caller closes
     */
    public Simulators openGroup() {
        return group.get();
    }

    /**
     * Opens a recorder.
     *
     * @return the recorder, which the caller closes; empty if the task has none
     */
    public Optional<Recorder> openRecorder() {
        return recorder.map(Supplier::get);
    }

    /** {@return the sizes and bounds of its simulators} Opens a simulator and closes it again. */
    public EnvironmentSpec spec() {
        try (Environment environment = open()) {
            return environment.spec();
        }
    }
}
