package dev.pgkq.env;

import java.util.function.Supplier;

/**
 * A task with a name: a way to open any number of simulators of it.
 *
 * @param id versioned name, such as {@code Pendulum-v1}
 * @param summary one line for people
 * @param simulator opens one more simulator, independent of the others
 */
public record Task(String id, String summary, Supplier<Environment> simulator) {
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
