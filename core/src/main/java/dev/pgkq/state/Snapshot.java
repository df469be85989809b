package dev.pgkq.state;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The complete state of a training run between two iterations. Random numbers are keyed by what they are for, so there is no
 * generator state in it.
 *
 * <p>Names are paths: {@code policy/layer0/weight} is the weight matrix of the policy's first layer.
 *
 * @param tensors parameters, optimizer moments and remembered rewards by name
 * @param counters completed iterations and other whole numbers by name
 * @param attributes descriptions for readers of the checkpoint, such as layer sizes; restoring compares a few of them
 */
public record Snapshot(Map<String, Tensor> tensors, Map<String, Long> counters, Map<String, String> attributes) {
    /** Name of the counter of completed iterations. */
    public static final String ITERATION = "iteration";

    /** Makes the maps unmodifiable; the tensors are not copied. */
    public Snapshot {
        tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
        counters = Collections.unmodifiableMap(new LinkedHashMap<>(counters));
        attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    /**
     * {@return the number of completed iterations}
     *
     * @throws IllegalArgumentException if the counter is missing or out of range
     */
    public int iteration() {
        long iteration = counter(ITERATION);
        if (iteration < 0 || iteration > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("the saved state is of iteration " + iteration);
        }
        return (int) iteration;
    }

    /**
     * {@return the value of a counter}
     *
     * @param name its path
     * @throws IllegalArgumentException if there is none of that name
     */
    public long counter(String name) {
        Long value = counters.get(name);
        if (value == null) {
            throw new IllegalArgumentException("the saved state has no '" + name + "'");
        }
        return value;
    }

    /**
     * {@return a tensor; not a copy}
     *
     * @param name its path
     * @throws IllegalArgumentException if there is none of that name
     */
    public Tensor tensor(String name) {
        Tensor tensor = tensors.get(name);
        if (tensor == null) {
            throw new IllegalArgumentException("the saved state has no '" + name + "'");
        }
        return tensor;
    }

    /**
     * {@return the values of a tensor that must have this shape; not a copy}
     *
     * @param name its path
     * @param shape the expected extent of each dimension
     * @throws IllegalArgumentException if there is none of that name, or it has another shape
     */
    public float[] values(String name, int... shape) {
        Tensor tensor = tensor(name);
        if (!Arrays.equals(tensor.shape(), shape)) {
            throw new IllegalArgumentException("'" + name + "' has the saved shape " + Arrays.toString(tensor.shape())
                    + ", not " + Arrays.toString(shape));
        }
        return tensor.values();
    }

    /** Collects a snapshot. Tensors are not copied: add copies of arrays that will change. */
    public static final class Builder {
        private final Map<String, Tensor> tensors = new LinkedHashMap<>();
        private final Map<String, Long> counters = new LinkedHashMap<>();
        private final Map<String, String> attributes = new LinkedHashMap<>();

        /** Creates an empty builder. */
        public Builder() {}

        /**
         * Adds a tensor. It replaces an earlier one of the same name.
         *
         * @param name its path
         * @param values the numbers in row-major order; not copied
         * @param shape the extent of each dimension
         * @throws IllegalArgumentException if an extent is negative or the shape has another number of values
         */
        public void tensor(String name, float[] values, int... shape) {
            tensors.put(name, Tensor.of(values, shape));
        }

        /**
         * Adds a counter. It replaces an earlier one of the same name.
         *
         * @param name its path
         * @param value its value
         */
        public void counter(String name, long value) {
            counters.put(name, value);
        }

        /**
         * Adds a description. It replaces an earlier one of the same name.
         *
         * @param name its path
         * @param value its text
         */
        public void attribute(String name, String value) {
            attributes.put(name, value);
        }

        /** {@return the snapshot of everything added so far} */
        public Snapshot build() {
            return new Snapshot(tensors, counters, attributes);
        }
    }
}
