package dev.pgkq.nn;

import dev.pgkq.state.Snapshot;
import java.util.ArrayList;
import java.util.List;

/**
 * Names the parts of a flat parameter array for checkpoints. Layer l = 0, 1, … of a network becomes
 *
 * <pre>
 *   layer{l}/weight   [outputs, inputs]
 *   layer{l}/bias     [outputs]
 * </pre>
 *
 * The flat array holds each weight matrix as inputs × outputs; saving and restoring transpose it, which changes no bits.
 * Arrays that run parallel to the parameters, such as the moments of an optimizer, have the same layout.
 */
public final class ParameterLayout {
    private final List<Part> parts;
    private final int size;

    /**
     * A named part of the flat array.
     *
     * @param rows extent of the first dimension of the tensor
     * @param columns extent of the second; 0 for a vector
     */
    private record Part(String name, int offset, int rows, int columns) {
        int[] shape() {
            return columns == 0 ? new int[] {rows} : new int[] {rows, columns};
        }

        int size() {
            return rows * Math.max(1, columns);
        }

        /** Returns where entry i of the tensor is in the flat array. */
        int at(int i) {
            return offset + (columns == 0 ? i : i % columns * rows + i / columns);
        }
    }

    private ParameterLayout(List<Part> parts, int size) {
        this.parts = List.copyOf(parts);
        this.size = size;
    }

    /** Returns the layout of a network with these numbers of units, from the inputs to the outputs. */
    static ParameterLayout ofLayers(int... sizes) {
        List<Part> parts = new ArrayList<>();
        int offset = 0;
        for (int l = 0; l + 1 < sizes.length; l++) {
            int inputs = sizes[l];
            int outputs = sizes[l + 1];
            parts.add(new Part("layer" + l + "/weight", offset, outputs, inputs));
            parts.add(new Part("layer" + l + "/bias", offset + inputs * outputs, outputs, 0));
            offset += (inputs + 1) * outputs;
        }
        return new ParameterLayout(parts, offset);
    }

    /**
     * {@return this layout with a vector after its end}
     *
     * @param name name of the vector
     * @param length number of its entries
     */
    public ParameterLayout and(String name, int length) {
        List<Part> more = new ArrayList<>(parts);
        more.add(new Part(name, size, length, 0));
        return new ParameterLayout(more, size + length);
    }

    /** {@return the length of the flat array} */
    public int size() {
        return size;
    }

    /**
     * Saves a copy of a flat array as tensors {@code prefix/…}.
     *
     * @param prefix prefix of the tensors' names
     * @param flat the array to save
     * @param into receives the tensors
     * @throws IllegalArgumentException if the array does not have {@link #size} entries
     */
    public void save(String prefix, float[] flat, Snapshot.Builder into) {
        requireSize(flat);
        for (Part part : parts) {
            float[] values = new float[part.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = flat[part.at(i)];
            }
            into.tensor(prefix + "/" + part.name, values, part.shape());
        }
    }

    /**
     * Fills a flat array from tensors {@code prefix/…}.
     *
     * @param prefix prefix of the tensors' names
     * @param saved holds the tensors
     * @param flat the array to fill
     * @throws IllegalArgumentException if the array does not have {@link #size} entries, or if a tensor is missing or has
     *     another shape
     */
    public void restore(String prefix, Snapshot saved, float[] flat) {
        requireSize(flat);
        for (Part part : parts) {
            float[] values = saved.values(prefix + "/" + part.name, part.shape());
            for (int i = 0; i < values.length; i++) {
                flat[part.at(i)] = values[i];
            }
        }
    }

    private void requireSize(float[] flat) {
        if (flat.length != size) {
            throw new IllegalArgumentException("the layout has " + size + " parameters, the array " + flat.length);
        }
    }
}
