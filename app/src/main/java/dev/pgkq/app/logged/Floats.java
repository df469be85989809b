package dev.pgkq.app.logged;

import java.util.Arrays;

/** Floats of which nobody knows beforehand how many there will be. */
final class Floats {
    private static final int LEAST = 1024;

    private float[] values = new float[LEAST];
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
