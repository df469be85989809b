package dev.pgkq.spark;

import dev.pgkq.rewards.oracle.AttemptListener;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.oracle.RetryingEvaluator;
import java.io.Serializable;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The description of a reward oracle, from which any executor can open it.
 *
 * @param spec exec:… or java:…
 * @param run name of the run
 * @param startFolder where the run was started; relative file names in a command are resolved against it
 * @param timeout of an evaluation
 * @param bytes largest size of an answer
 */
record RemoteOracle(String spec, String run, String startFolder, Duration timeout, int bytes) implements Serializable {
    private static final Map<RemoteOracle, Evaluator> OPEN = new ConcurrentHashMap<>();

    static {
        // An executor ends when its driver is gone. The programs that it started must end with it.
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.values().forEach(RemoteOracle::closeQuietly)));
    }

    /**
     * Returns this process's evaluator. Its files are in the executor's working directory, and the timeout starts when the
     * executor starts the evaluation.
     */
    Evaluator open() {
        return OPEN.computeIfAbsent(this, RemoteOracle::create);
    }

    private Evaluator create() {
        EvaluatorSettings defaults = EvaluatorSettings.defaults(run, Path.of("").toAbsolutePath());
        EvaluatorSettings.Limits limits =
                new EvaluatorSettings.Limits(timeout, defaults.limits().connectTimeout(), bytes);
        Evaluator evaluator = Evaluators.open(spec, defaults.withLimits(limits).withStartFolder(Path.of(startFolder)));
        return new RetryingEvaluator(evaluator, RetryPolicy.defaults().once(timeout), AttemptListener.NONE);
    }

    private static void closeQuietly(Evaluator evaluator) {
        try {
            evaluator.close();
        } catch (RuntimeException e) {
            // the remaining ones have to be closed, too
        }
    }
}
