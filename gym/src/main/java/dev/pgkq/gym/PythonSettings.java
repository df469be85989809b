package dev.pgkq.gym;

import dev.pgkq.platform.PythonInterpreter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * How environments in Python are run.
 *
 * @param interpreter the Python to start, a file or a name on the {@code PATH}; empty for the default, which is the active
 *     virtual environment's, or else {@code python3}
 * @param arguments arguments of the environment's constructor, a JSON object
 * @param timeLimit the most steps of an episode; 0 for the environment's own limit
 * @param timeout longest time that the environments of a worker may take for one step or reset
 * @param log the file to which workers append what the environment prints, asked for when a worker is started; empty for a
 *     temporary one
 */
public record PythonSettings(
        String interpreter, String arguments, int timeLimit, Duration timeout, Supplier<Optional<Path>> log) {
    /** The longest time that a step or reset may take, unless set. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofMinutes(5);

    /** The most steps of an episode if neither the settings nor the environment limit them. */
    public static final int DEFAULT_TIME_LIMIT = 1000;

    /** {@return settings that are all at their defaults} */
    public static PythonSettings defaults() {
        return new PythonSettings("", "{}", 0, DEFAULT_TIMEOUT, Optional::empty);
    }

    /** {@return the command that starts Python: the interpreter that was given, or the default} */
    public String command() {
        return PythonInterpreter.command(interpreter, Path.of(""), System.getenv());
    }

    /**
     * {@return these settings with another interpreter}
     *
     * @param python a file or a name on the {@code PATH}
     */
    public PythonSettings withInterpreter(String python) {
        return new PythonSettings(python, arguments, timeLimit, timeout, log);
    }

    /**
     * {@return these settings with arguments for the constructor}
     *
     * @param json a JSON object
     */
    public PythonSettings withArguments(String json) {
        return new PythonSettings(interpreter, json, timeLimit, timeout, log);
    }

    /**
     * {@return these settings with a time limit}
     *
     * @param steps the most steps of an episode; 0 for the environment's own limit
     */
    public PythonSettings withTimeLimit(int steps) {
        return new PythonSettings(interpreter, arguments, steps, timeout, log);
    }

    /**
     * {@return these settings with a timeout}
     *
     * @param longest the longest time that a step or reset may take
     */
    public PythonSettings withTimeout(Duration longest) {
        return new PythonSettings(interpreter, arguments, timeLimit, longest, log);
    }

    /**
     * {@return these settings with a log}
     *
     * @param file asked for when a worker is started; empty for a temporary file
     */
    public PythonSettings withLog(Supplier<Optional<Path>> file) {
        return new PythonSettings(interpreter, arguments, timeLimit, timeout, file);
    }
}
