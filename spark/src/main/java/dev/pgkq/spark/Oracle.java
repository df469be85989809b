package dev.pgkq.spark;

import dev.pgkq.app.oracle.Evaluator;
import dev.pgkq.app.oracle.EvaluatorSettings;
import dev.pgkq.app.oracle.Evaluators;
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
record Oracle(String spec, String run, String startFolder, Duration timeout, int bytes) implements Serializable {
    private static final Map<Oracle, Evaluator> OPEN = new ConcurrentHashMap<>();

    static {
        // an executor whose driver is gone ends: what it has started must not go on
        Runtime.getRuntime().addShutdownHook(new Thread(() -> OPEN.values().forEach(Evaluator::close)));
    }

    /** Files go to the executor's own folder. */
    Evaluator open() {
        return OPEN.computeIfAbsent(this, any -> {
            EvaluatorSettings usual =
                    EvaluatorSettings.defaults(run, Path.of("").toAbsolutePath());
            EvaluatorSettings.Limits limits =
                    new EvaluatorSettings.Limits(timeout, usual.limits().connectTimeout(), bytes);
            return Evaluators.parse(spec, usual.withLimits(limits).withStartFolder(Path.of(startFolder)));
        });
    }
}
