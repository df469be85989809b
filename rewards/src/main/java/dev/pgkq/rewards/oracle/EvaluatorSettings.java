package dev.pgkq.rewards.oracle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * Settings shared by all evaluators; {@link #defaults} suits most runs.
 *
 * @param run name of the run, the first part of its episodes' ids
 * @param runDirectory folder of the run; the standard error of programs is written to {@code oracle/} in it
 * @param workFolder folder in which every evaluation by a program gets its working directory
 * @param limits limits of one answer
 * @param tokenVariable name of the environment variable that contains a service's bearer token, if it needs one
 * @param polling how a folder is watched
 * @param environment environment variables, passed on to programs
 * @param startFolder folder that relative file names refer to
 * @param python the Python that calls functions, or the folder of a virtual environment; empty for that of the active virtual environment, or else {@code python3}
 */
public record EvaluatorSettings(
        String run,
        Path runDirectory,
        Path workFolder,
        Limits limits,
        String tokenVariable,
        Polling polling,
        Map<String, String> environment,
        Path startFolder,
        String python) {

    /**
     * Limits of one answer.
     *
     * @param timeout maximum time of a program or a service; folders and classes are limited only by
     *     {@link RetryPolicy#timeout}
     * @param connectTimeout maximum time to connect to a service
     * @param bytes maximum length of an answer
     */
    public record Limits(Duration timeout, Duration connectTimeout, int bytes) {
        public Limits {
            requirePositive(timeout, "timeout");
            requirePositive(connectTimeout, "connectTimeout");
            if (bytes < 1) {
                throw new IllegalArgumentException("the maximum length of an answer must be positive, got " + bytes);
            }
        }
    }

    /**
     * How a folder is watched.
     *
     * @param interval time between checks
     * @param grace how long an invalid answer may stay unchanged before it is rejected; it may be incomplete
     */
    public record Polling(Duration interval, Duration grace) {
        public Polling {
            requirePositive(interval, "interval");
            requirePositive(grace, "grace");
        }
    }

    public EvaluatorSettings {
        environment = Map.copyOf(environment);
    }

    /** The defaults. An answer may take a day, because giving up too early on a long simulation costs more than waiting. */
    public static EvaluatorSettings defaults(String run, Path runDirectory) {
        return new EvaluatorSettings(
                run,
                runDirectory,
                runDirectory.resolve("oracle").resolve("evaluations"),
                new Limits(Duration.ofDays(1), Duration.ofSeconds(30), 16 << 20),
                "PGKQ_REWARD_TOKEN",
                new Polling(Duration.ofSeconds(1), Duration.ofSeconds(30)),
                System.getenv(),
                Path.of("").toAbsolutePath(),
                "");
    }

    /** The same settings with another folder for working directories. */
    public EvaluatorSettings withWorkFolder(Path folder) {
        return new EvaluatorSettings(
                run, runDirectory, folder, limits, tokenVariable, polling, environment, startFolder, python);
    }

    /** The same settings with other limits. */
    public EvaluatorSettings withLimits(Limits others) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, others, tokenVariable, polling, environment, startFolder, python);
    }

    /** The same settings with another variable for the token. */
    public EvaluatorSettings withTokenVariable(String name) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, name, polling, environment, startFolder, python);
    }

    /** The same settings with another way to watch folders. */
    public EvaluatorSettings withPolling(Polling other) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, other, environment, startFolder, python);
    }

    /** The same settings with other environment variables. */
    public EvaluatorSettings withEnvironment(Map<String, String> others) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, polling, others, startFolder, python);
    }

    /** The same settings with another start folder. */
    public EvaluatorSettings withStartFolder(Path folder) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, polling, environment, folder, python);
    }

    /** The same settings with another Python. */
    public EvaluatorSettings withPython(String interpreter) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, polling, environment, startFolder, interpreter);
    }

    private static void requirePositive(Duration duration, String what) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(what + " must be positive, got " + duration);
        }
    }
}
