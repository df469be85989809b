package dev.pgkq.env;

import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A task with a name: a way to open any number of simulators of it.
 *
 * @param id versioned name, such as {@code Pendulum-v1}
 * @param summary one line for people
 * @param simulator opens one more simulator, independent of the others
 * @param yardstick what is good going in it; empty where nobody says
 */
public record Task(String id, String summary, Supplier<Environment> simulator, Optional<Yardstick> yardstick) {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    public Task {
        if (!ID.matcher(id).matches()) {
            throw new IllegalArgumentException(
                    "the task id '" + id + "' should consist of letters, digits, dots, hyphens and underscores");
        }
    }

    public Task(String id, String summary, Supplier<Environment> simulator) {
        this(id, summary, simulator, Optional.empty());
    }

    /** The same task, with a yardstick. */
    public Task measuredBy(Yardstick by) {
        return new Task(id, summary, simulator, Optional.of(by));
    }

    public Environment open() {
        return simulator.get();
    }

    /** The shape of its simulators. */
    public EnvironmentSpec spec() {
        try (Environment environment = open()) {
            return environment.spec();
        }
    }
}
