package dev.pgkq.gym;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Tasks whose environment is written in Python: {@code gym:ID}, where the ID is one that {@code gymnasium.make} takes, and
 * {@code python:MODULE:FACTORY}, where the factory is a class or a function that makes an environment with Gymnasium's methods.
 */
public final class PythonTasks {
    private static final Pattern GYM = Pattern.compile("gym:(?:[A-Za-z0-9_.]+:)?[A-Za-z0-9][A-Za-z0-9._/-]*");
    private static final Pattern PYTHON = Pattern.compile("python:[A-Za-z_][A-Za-z0-9_.]*:[A-Za-z_][A-Za-z0-9_.]*");

    private PythonTasks() {}

    /**
     * {@return whether a task's name is that of an environment in Python}
     *
     * @param id name of a task
     */
    public static boolean isPython(String id) {
        return id.startsWith("gym:") || id.startsWith("python:");
    }

    /**
     * Creates a task. Python is started when its spec is first needed.
     *
     * @param id the environment, {@code gym:ID} or {@code python:MODULE:FACTORY}
     * @param settings how it is run
     * @return the task
     * @throws PythonException if the name has another form
     */
    public static Task task(String id, PythonSettings settings) {
        if (id.startsWith("gym:") && !GYM.matcher(id).matches()) {
            throw new PythonException(
                    PythonException.Problem.ENVIRONMENT,
                    "'" + id + "' does not name an environment: give gym:ID, such as gym:CartPole-v1");
        }
        if (id.startsWith("python:") && !PYTHON.matcher(id).matches()) {
            throw new PythonException(
                    PythonException.Problem.ENVIRONMENT,
                    "'" + id
                            + "' does not name an environment: give python:MODULE:CLASS, such as python:my_module:MyEnv");
        }
        Supplier<EnvironmentSpec> spec = new Remembered(() -> {
            try (PythonSimulators probe = PythonSimulators.open(id, settings)) {
                return probe.spec();
            }
        });
        return new Task(
                id,
                "an environment in Python",
                () -> new PythonEnvironment(spec, () -> PythonSimulators.open(id, settings)),
                Optional.empty(),
                () -> PythonSimulators.open(id, settings),
                Optional.of(() -> new PythonRecorder(id, PythonSimulators.open(id, settings, true))));
    }

    /** Asks once. */
    private static final class Remembered implements Supplier<EnvironmentSpec> {
        private final Supplier<EnvironmentSpec> source;
        private Optional<EnvironmentSpec> known = Optional.empty();

        Remembered(Supplier<EnvironmentSpec> source) {
            this.source = source;
        }

        @Override
        public synchronized EnvironmentSpec get() {
            if (known.isEmpty()) {
                known = Optional.of(source.get());
            }
            return known.get();
        }
    }
}
