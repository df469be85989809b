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
 * A way to ask for rewards, to be opened on any executor.
 *
 * @param spec exec:… or java:…
 * @param run name of the run
 * @param startFolder where the run was started: names of files in a command are looked for there
 * @param timeout of an answer
 * @param bytes of an answer, at most
 */
record RemoteOracle(String spec, String run, String startFolder, Duration timeout, int bytes) implements Serializable {
    private static final Map<RemoteOracle, Evaluator> OPEN = new ConcurrentHashMap<>();

    static {
        // an executor whose driver is gone ends: what it has started must not go on
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.values().forEach(RemoteOracle::closeQuietly)));
    }

    /** Files go to the executor's own folder, and time is taken from when the executor asks. */
    Evaluator open() {
        return OPEN.computeIfAbsent(this, any -> {
            EvaluatorSettings usual =
                    EvaluatorSettings.defaults(run, Path.of("").toAbsolutePath());
            EvaluatorSettings.Limits limits =
                    new EvaluatorSettings.Limits(timeout, usual.limits().connectTimeout(), bytes);
            Evaluator evaluator = Evaluators.open(spec, usual.withLimits(limits).withStartFolder(Path.of(startFolder)));
            return new RetryingEvaluator(evaluator, RetryPolicy.defaults().once(timeout), AttemptListener.NONE);
        });
    }

    private static void closeQuietly(Evaluator evaluator) {
        try {
            evaluator.close();
        } catch (RuntimeException e) {
            // the others have to be closed, too
        }
    }
}
