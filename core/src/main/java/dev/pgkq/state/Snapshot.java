package dev.pgkq.state;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * All that changes during training. Random numbers are keyed, not carried on, so there is no generator's state in it.
 *
 * @param tensors parameters, moments and remembered rewards by name
 * @param counters iterations done and other whole numbers by name
 */
public record Snapshot(Map<String, float[]> tensors, Map<String, Long> counters) {
    public static final String ITERATION = "iteration";

    /** @throws IllegalArgumentException if it does not say, or says what cannot be */
    public int iteration() {
        long iteration = counter(ITERATION);
        if (iteration < 0 || iteration > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the saved state is of iteration " + iteration);
        }
        return (int) iteration;
    }

    /** @throws IllegalArgumentException if there is none of that name */
    public long counter(String name) {
        Long value = counters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the saved state has no '" + name + "'");
        }
        return value;
    }

    /** @throws IllegalArgumentException if there is none of that name */
    public float[] tensor(String name) {
        float[] values = tensors.get(name);
        if (values == null) {
            throw new IllegalArgumentException("the saved state has no '" + name + "'");
        }
        return values;
    }

    /** Copies a tensor into an array of the same size. */
    public void copyTensor(String name, float[] into) {
        float[] from = tensor(name);
        if (from.length != into.length) {
            throw new IllegalArgumentException(
                    "'" + name + "' has " + from.length + " saved values, not " + into.length);
        }
        System.arraycopy(from, 0, into, 0, into.length);
    }

    /** Collects a snapshot; the arrays in it are the live ones. */
    public static final class Builder {
        private final Map<String, float[]> tensors = new LinkedHashMap<>();
        private final Map<String, Long> counters = new LinkedHashMap<>();

        public void tensor(String name, float[] values) {
            tensors.put(name, values);
        }

        public void counter(String name, long value) {
            counters.put(name, value);
        }

        public Snapshot build() {
            return new Snapshot(tensors, counters);
        }
    }
}
