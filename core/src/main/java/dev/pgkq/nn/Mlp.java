package dev.pgkq.nn;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The shape of a fully connected network with an activation φ between layers, ReLU or tanh, and none after the last.
 *
 * <pre>
 *   h_0 = x̂,   h_l = φ(h_{l−1} W_l + b_l),   y = h_{L−1} W_L + b_L
 * </pre>
 *
 * where x̂ are the inputs, {@linkplain InputScale normalised} or as they are.
 *
 * <p>Parameters are in a flat array that belongs to the user of the network: W_1, b_1, W_2, b_2, …, with W_l row-major,
 * inputs × outputs. Optimisers, checkpoints and score vectors then need not know about layers.
 */
public final class Mlp {
    /** Start values of the last layer are uniform on ± this, so that outputs start near 0. */
    private static final double LAST_LAYER_BOUND = 3e-3;

    private final Activation activation;
    private final InputScale scale;
    private final int[] sizes;
    private final int[] offsets;
    private final Blas blas = Blas.best();
    private final Elementwise loops = Elementwise.best();

    /**
     * Describes a network with ReLU.
     *
     * @param sizes units of each layer, inputs first
     * @throws IllegalArgumentException if there are fewer than two
     */
    public Mlp(int... sizes) {
        this(Activation.RELU, sizes);
    }

    /**
     * Describes a network.
     *
     * @param activation φ
     * @param sizes units of each layer, inputs first
     * @throws IllegalArgumentException if there are fewer than two
     */
    public Mlp(Activation activation, int... sizes) {
        this(activation, InputScale.NONE, sizes);
    }

    /**
     * Describes a network whose inputs are normalised.
     *
     * @param activation φ
     * @param scale the live normalisation of its first inputs
     * @param sizes units of each layer, inputs first
     * @throws IllegalArgumentException if there are fewer than two
     */
    public Mlp(Activation activation, InputScale scale, int... sizes) {
        this.activation = activation;
        this.scale = scale;
        if (sizes.length < 2) {
            throw new IllegalArgumentException("a network needs inputs and outputs");
        }
        this.sizes = sizes.clone();
        this.offsets = new int[sizes.length];
        for (int l = 1; l < sizes.length; l++) {
            offsets[l] = offsets[l - 1] + (sizes[l - 1] + 1) * sizes[l];
        }
    }

    /** {@return the number of inputs} */
    public int inputs() {
        return sizes[0];
    }

    /** {@return the number of outputs} */
    public int outputs() {
        return sizes[sizes.length - 1];
    }

    /** {@return the number of parameters} */
    public int parameterCount() {
        return offsets[offsets.length - 1];
    }

    private int layers() {
        return sizes.length - 1;
    }

    /** Where the weights of layer {@code l} = 1 … L start. */
    private int weights(int l) {
        return offsets[l - 1];
    }

    private int bias(int l) {
        return offsets[l - 1] + sizes[l - 1] * sizes[l];
    }

    /**
     * Sets start values: hidden weights uniform on ±√(6 / inputs) with ReLU and on ±√(3 / inputs) with tanh, weights of the last
     * layer uniform on ±3e-3 so that outputs start near 0, biases 0.
     *
     * @param parameters set to the start values
     * @param random draws them
     */
    public void initialize(float[] parameters, RandomStream random) {
        initialize(parameters, random, LAST_LAYER_BOUND);
    }

    /**
     * Sets start values with a given range of the last layer.
     *
     * @param parameters set to the start values
     * @param random draws them
     * @param lastBound weights of the last layer are uniform on ± this
     */
    public void initialize(float[] parameters, RandomStream random, double lastBound) {
        // ReLU sets half of the values to 0 and so halves the mean square
        double spread = activation == Activation.RELU ? 6.0 : 3.0;
        for (int l = 1; l <= layers(); l++) {
            double bound = l == layers() ? lastBound : Math.sqrt(spread / sizes[l - 1]);
            for (int i = weights(l); i < bias(l); i++) {
                parameters[i] = (float) random.uniform(-bound, bound);
            }
            Arrays.fill(parameters, bias(l), offsets[l], 0f);
        }
    }

    /**
     * Changes the last layer so that every output y becomes {@code factor} · y + {@code shift}.
     *
     * @param parameters of the network, changed
     * @param factor of the outputs
     * @param shift added to each output
     */
    public void transformOutputs(float[] parameters, double factor, double shift) {
        for (int i = weights(layers()); i < bias(layers()); i++) {
            parameters[i] = (float) (factor * parameters[i]);
        }
        for (int i = bias(layers()); i < offsets[layers()]; i++) {
            parameters[i] = (float) (factor * parameters[i] + shift);
        }
    }

    /** Room for activations and their gradients; belongs to one thread. */
    public final class Workspace {
        private final float[][] activations = new float[sizes.length][];
        private final float[][] gradients = new float[sizes.length][];
        /** x; the same array as h_0 if nothing is normalised. */
        private final float[] inputs;

        /**
         * Allocates the buffers.
         *
         * @param maxRows the most rows of inputs
         */
        public Workspace(int maxRows) {
            for (int l = 0; l < sizes.length; l++) {
                activations[l] = new float[maxRows * sizes[l]];
                gradients[l] = l == 0 ? new float[0] : new float[maxRows * sizes[l]];
            }
            inputs = scale.size() == 0 ? activations[0] : new float[maxRows * sizes[0]];
        }

        /** {@return rows of inputs, to be filled before a forward pass} */
        public float[] input() {
            return inputs;
        }

        /** {@return rows of outputs, after a forward pass} */
        public float[] output() {
            return activations[layers()];
        }

        /** {@return rows of ∂/∂output, to be filled before a backward pass, which overwrites them} */
        public float[] outputGradient() {
            return gradients[layers()];
        }
    }

    /**
     * Computes outputs with matrix products: the fast way, for training.
     *
     * @param parameters of the network
     * @param workspace holds inputs and outputs
     * @param rows number of rows, from the first on
     */
    public void forward(float[] parameters, Workspace workspace, int rows) {
        normalize(workspace, rows);
        for (int l = 1; l <= layers(); l++) {
            float[] in = workspace.activations[l - 1];
            float[] out = workspace.activations[l];
            blas.multiply(NO, NO, rows, sizes[l], sizes[l - 1], in, 0, parameters, weights(l), 0f, out, 0);
            loops.addBias(out, rows, sizes[l], parameters, bias(l), isFollowedBy(Activation.RELU, l));
            squash(l, out, rows);
        }
    }

    private void normalize(Workspace workspace, int rows) {
        if (scale.size() > 0) {
            scale.apply(workspace.inputs, rows, sizes[0], workspace.activations[0]);
        }
    }

    private boolean isFollowedBy(Activation wanted, int l) {
        return l < layers() && activation == wanted;
    }

    private void squash(int l, float[] out, int rows) {
        if (isFollowedBy(Activation.TANH, l)) {
            loops.tanh(out, rows * sizes[l]);
        }
    }

    /**
     * Computes outputs whose rounding does not depend on the number of rows: for rollouts, where that is the number of
     * running episodes.
     *
     * @param parameters of the network
     * @param workspace holds inputs and outputs
     * @param rows number of rows, from the first on
     */
    public void forwardRowwise(float[] parameters, Workspace workspace, int rows) {
        normalize(workspace, rows);
        for (int l = 1; l <= layers(); l++) {
            loops.affineRows(
                    workspace.activations[l - 1],
                    rows,
                    sizes[l - 1],
                    sizes[l],
                    parameters,
                    weights(l),
                    isFollowedBy(Activation.RELU, l),
                    workspace.activations[l]);
            squash(l, workspace.activations[l], rows);
        }
    }

    /**
     * Computes the outputs of many rows in parallel. The bits do not depend on the number of workers.
     *
     * @param parameters of the network
     * @param inputs row by row
     * @param workers share the rows
     * @return outputs, row by row
     */
    public float[] forwardAll(float[] parameters, float[] inputs, Workers workers) {
        return forwardAll(parameters, inputs, Chunks.of(inputs.length / inputs()), workers);
    }

    /**
     * Computes the outputs of the rows of episodes in parallel. The bits of an episode do not depend on the others.
     *
     * @param parameters of the network
     * @param inputs row by row
     * @param chunks that do not cross episodes
     * @param workers share the chunks
     * @return outputs, row by row
     */
    public float[] forwardAll(float[] parameters, float[] inputs, Chunks chunks, Workers workers) {
        float[] outputs = new float[inputs.length / inputs() * outputs()];
        Workspace[] workspaces = new Workspace[workers.count()];
        workers.run(chunks.count(), (worker, chunk) -> {
            if (workspaces[worker] == null) {
                workspaces[worker] = new Workspace(ChunkedGradient.CHUNK_ROWS);
            }
            Workspace workspace = workspaces[worker];
            int from = chunks.from(chunk);
            int count = chunks.rows(chunk);
            System.arraycopy(inputs, from * inputs(), workspace.input(), 0, count * inputs());
            forward(parameters, workspace, count);
            System.arraycopy(workspace.output(), 0, outputs, from * outputs(), count * outputs());
        });
        return outputs;
    }

    /**
     * Adds up ∂/∂parameters over the rows of the last {@link #forward} and their output gradients.
     *
     * @param parameters of the network
     * @param workspace holds activations and output gradients
     * @param rows number of rows, from the first on
     * @param into the gradient is added to it
     */
    public void backward(float[] parameters, Workspace workspace, int rows, float[] into) {
        backward(parameters, workspace, rows, (l, in, inputs, gradient, outputs) -> {
            blas.multiply(YES, NO, inputs, outputs, rows, in, 0, gradient, 0, 1f, into, weights(l));
            loops.addColumnSums(gradient, rows, outputs, into, bias(l));
        });
    }

    /** Sees each layer of a backward pass. */
    @FunctionalInterface
    public interface LayerVisitor {
        /**
         * Sees a layer. A row's gradient for W_l is the outer product of its input and its gradient; for b_l it is the
         * gradient itself.
         *
         * @param layer 1 … L
         * @param in h_{l−1}, row by row
         * @param inputs size of a row of {@code in}
         * @param gradient ∂/∂(h_{l−1} W_l + b_l), row by row
         * @param outputs size of a row of {@code gradient}
         */
        void visit(int layer, float[] in, int inputs, float[] gradient, int outputs);
    }

    /**
     * Goes back through the layers, for the rows of the last {@link #forward} and their output gradients.
     *
     * @param parameters of the network
     * @param workspace holds activations and output gradients
     * @param rows number of rows, from the first on
     * @param visitor sees each layer, the last one first
     */
    public void backward(float[] parameters, Workspace workspace, int rows, LayerVisitor visitor) {
        for (int l = layers(); l >= 1; l--) {
            float[] in = workspace.activations[l - 1];
            float[] gradient = workspace.gradients[l];
            visitor.visit(l, in, sizes[l - 1], gradient, sizes[l]);
            if (l > 1) {
                float[] below = workspace.gradients[l - 1];
                blas.multiply(NO, YES, rows, sizes[l - 1], sizes[l], gradient, 0, parameters, weights(l), 0f, below, 0);
                switch (activation) {
                    case RELU -> loops.reluBackward(below, in, rows * sizes[l - 1]);
                    case TANH -> tanhBackward(below, in, rows * sizes[l - 1]);
                }
            }
        }
    }

    /** Goes back through tanh, whose derivative is 1 − tanh². */
    private static void tanhBackward(float[] gradient, float[] output, int length) {
        for (int i = 0; i < length; i++) {
            gradient[i] *= 1 - output[i] * output[i];
        }
    }

    /** {@return units of each layer, inputs first} */
    public int[] sizes() {
        return sizes.clone();
    }

    /** {@return the names and shapes of the parameters in a checkpoint} */
    public ParameterLayout layout() {
        return ParameterLayout.ofLayers(sizes);
    }

    /**
     * Adds the attributes that a reader of a checkpoint needs to evaluate the network.
     *
     * @param name prefix of the attributes
     * @param outputActivation what the owner of the network applies to its outputs; {@code identity} for nothing
     * @param into receives the attributes
     */
    public void describe(String name, String outputActivation, Snapshot.Builder into) {
        into.attribute(
                name + "/sizes",
                Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        into.attribute(name + "/hidden_activation", activationName());
        into.attribute(name + "/output_activation", outputActivation);
    }

    /**
     * Checks that a checkpoint is of a network with the same activation; its shapes are checked where its tensors are read.
     *
     * @param name prefix of the attributes
     * @param saved the checkpoint
     * @throws IllegalArgumentException if it has another activation
     */
    public void requireActivation(String name, Snapshot saved) {
        String found = saved.attributes().getOrDefault(name + "/hidden_activation", activationName());
        if (!found.equals(activationName())) {
            throw new IllegalArgumentException(
                    "the saved network '" + name + "' has the activation " + found + ", not " + activationName());
        }
    }

    private String activationName() {
        return activation.name().toLowerCase(Locale.ROOT);
    }
}
