package dev.pgkq.app.logged;

import java.util.Arrays;

/** A growing list of floats. */
final class FloatList {
    private static final int INITIAL_CAPACITY = 1024;

    private float[] values = new float[INITIAL_CAPACITY];
    private int size;

    void add(float value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
    }

    int size() {
        return size;
    }

    float[] toArray() {
        return Arrays.copyOf(values, size);
    }
}
