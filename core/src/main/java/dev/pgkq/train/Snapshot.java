package dev.pgkq.train;

import dev.pgkq.nn.Adam;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that changes during training. Random numbers are keyed, not carried on, so there is no generator's state in it.
 *
 * @param tensors parameters and moments by name
 * @param counters iterations done and other whole numbers by name
 */
public record Snapshot(Map<String, float[]> tensors, Map<String, Long> counters) {
    public static final String ITERATION = "iteration";

    public int iteration() {
        return Math.toIntExact(counter(ITERATION));
    }

    public long counter(String name) {
        Long value = counters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the saved state has no '" + name + "'");
        }
        return value;
    }

    /** Copies the values of every tensor of {@code live} into it; both must hold the same names and sizes. */
    void copyTensorsTo(Snapshot live) {
        if (!tensors.keySet().equals(live.tensors.keySet())) {
            throw new IllegalArgumentException(
                    "the saved state holds " + tensors.keySet() + ", not " + live.tensors.keySet());
        }
        live.tensors.forEach((name, into) -> {
            float[] from = tensors.getOrDefault(name, new float[0]);
            if (from.length != into.length) {
                throw new IllegalArgumentException(
                        "'" + name + "' has " + from.length + " saved values, not " + into.length);
            }
            System.arraycopy(from, 0, into, 0, into.length);
        });
    }

    /** Collects a snapshot. */
    static final class Builder {
        private final Map<String, float[]> tensors = new LinkedHashMap<>();
        private final Map<String, Long> counters = new LinkedHashMap<>();

        void tensor(String name, float[] values) {
            tensors.put(name, values);
        }

        void counter(String name, long value) {
            counters.put(name, value);
        }

        void optimizer(String name, Adam adam) {
            adam.moments().forEach((moment, values) -> tensor(name + "." + moment, values));
            counter(name + ".steps", adam.steps());
        }

        Snapshot build() {
            return new Snapshot(tensors, counters);
        }
    }
}
