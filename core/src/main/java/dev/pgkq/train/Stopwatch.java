package dev.pgkq.train;

import dev.pgkq.train.IterationReport.Stage;
import java.util.EnumMap;
import java.util.Map;

/** Measures the wall-clock time of consecutive stages. */
final class Stopwatch {
    private final Map<Stage, Double> seconds = new EnumMap<>(Stage.class);
    private long last = System.nanoTime();

    /** Adds the time since the last lap to a stage. */
    void lap(Stage stage) {
        long now = System.nanoTime();
        seconds.merge(stage, (now - last) * 1e-9, Double::sum);
        last = now;
    }

    Map<Stage, Double> seconds() {
        return seconds;
    }
}
