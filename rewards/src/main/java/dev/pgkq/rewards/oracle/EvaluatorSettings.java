package dev.pgkq.rewards.oracle;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * What the ways to ask have in common.
 *
 * @param run name of the run, the first part of its episodes' ids
 * @param runDirectory where the run keeps its files; what programs write to standard error goes to {@code oracle/} in it
 * @param workFolder where programs get a working directory for each evaluation
 * @param limits how long and how large an answer may be
 * @param tokenVariable the environment variable that holds a service's bearer token, if it needs one
 * @param polling how a folder is watched
 * @param environment the variables of this process
 * @param startFolder where names of files on the command line are looked for
 */
public record EvaluatorSettings(
        String run,
        Path runDirectory,
        Path workFolder,
        Limits limits,
        String tokenVariable,
        Polling polling,
        Map<String, String> environment,
        Path startFolder) {

    /**
     * Limits of one answer.
     *
     * @param timeout how long a program or a service may take. Folders and classes know no time: they are stopped by
     *     {@link RetryPolicy#timeout}
     * @param connectTimeout how long connecting to a service may take
     * @param bytes longer answers are refused
     */
    public record Limits(Duration timeout, Duration connectTimeout, int bytes) {
        public Limits {
            requirePositive(timeout, "timeout");
            requirePositive(connectTimeout, "connectTimeout");
            if (bytes < 1) {
                throw new IllegalArgumentException("the limit of an answer's bytes must be positive, got " + bytes);
            }
        }
    }

    /**
     * How a folder is watched.
     *
     * @param interval how often it is looked at
     * @param grace how long an answer that cannot be read may stay as it is: it may be half written
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

    /** The usual ones. A day for an answer: to give up on an hour's simulation too soon costs more than to wait. */
    public static EvaluatorSettings defaults(String run, Path runDirectory) {
        return new EvaluatorSettings(
                run,
                runDirectory,
                runDirectory.resolve("oracle").resolve("evaluations"),
                new Limits(Duration.ofDays(1), Duration.ofSeconds(30), 16 << 20),
                "PGKQ_REWARD_TOKEN",
                new Polling(Duration.ofSeconds(1), Duration.ofSeconds(30)),
                System.getenv(),
                Path.of("").toAbsolutePath());
    }

    public EvaluatorSettings withWorkFolder(Path folder) {
        return new EvaluatorSettings(
                run, runDirectory, folder, limits, tokenVariable, polling, environment, startFolder);
    }

    public EvaluatorSettings withLimits(Limits others) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, others, tokenVariable, polling, environment, startFolder);
    }

    public EvaluatorSettings withTokenVariable(String name) {
        return new EvaluatorSettings(run, runDirectory, workFolder, limits, name, polling, environment, startFolder);
    }

    public EvaluatorSettings withPolling(Polling other) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, other, environment, startFolder);
    }

    public EvaluatorSettings withEnvironment(Map<String, String> others) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, polling, others, startFolder);
    }

    public EvaluatorSettings withStartFolder(Path folder) {
        return new EvaluatorSettings(
                run, runDirectory, workFolder, limits, tokenVariable, polling, environment, folder);
    }

    private static void requirePositive(Duration duration, String what) {
        if (!duration.isPositive()) {
            throw new IllegalArgumentException(what + " must be positive, got " + duration);
        }
    }
}
