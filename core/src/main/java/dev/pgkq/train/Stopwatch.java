package dev.pgkq.train;

import dev.pgkq.train.IterationReport.Stage;
import java.util.EnumMap;
import java.util.Map;

/** Wall-clock time of one stage after the other. */
final class Stopwatch {
    private final Map<Stage, Double> seconds = new EnumMap<>(Stage.class);
    private long last = System.nanoTime();

    void lap(Stage stage) {
        long now = System.nanoTime();
        seconds.merge(stage, (now - last) * 1e-9, Double::sum);
        last = now;
    }

    Map<Stage, Double> seconds() {
        return seconds;
    }
}
