package dev.pgkq.nn;

import dev.pgkq.text.Require;
import java.io.Serializable;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The layers of a network between its inputs and its outputs.
 *
 * @param units units of each layer
 * @param activation applied to them
 */
public record HiddenLayers(List<Integer> units, Activation activation) implements Serializable {
    /** The most hidden layers. */
    public static final int MOST_LAYERS = 10;

    /** The most units of a layer. */
    public static final int MOST_UNITS = 10_000;

    /** 200 and 100 units with ReLU, as in the paper. */
    public static final HiddenLayers STANDARD = new HiddenLayers(List.of(200, 100), Activation.RELU);

    /**
     * Checks and copies the units.
     *
     * @throws IllegalArgumentException if there are no layers or too many, or a layer has no units or too many
     */
    public HiddenLayers {
        units = List.copyOf(units);
        Require.that(
                !units.isEmpty() && units.size() <= MOST_LAYERS,
                "a network needs 1 to " + MOST_LAYERS + " hidden layers, got " + units.size());
        for (int count : units) {
            Require.that(
                    count >= 1 && count <= MOST_UNITS,
                    "a hidden layer needs 1 to " + MOST_UNITS + " units, got " + count);
        }
    }

    /**
     * {@return the network with these hidden layers}
     *
     * @param inputs number of inputs
     * @param outputs number of outputs
     */
    public Mlp between(int inputs, int outputs) {
        return between(inputs, InputScale.NONE, outputs);
    }

    /**
     * {@return the network with these hidden layers}
     *
     * @param inputs number of inputs
     * @param scale the live normalisation of the first inputs
     * @param outputs number of outputs
     */
    public Mlp between(int inputs, InputScale scale, int outputs) {
        int[] sizes = IntStream.concat(
                        IntStream.concat(IntStream.of(inputs), units.stream().mapToInt(Integer::intValue)),
                        IntStream.of(outputs))
                .toArray();
        return new Mlp(activation, scale, sizes);
    }
}
