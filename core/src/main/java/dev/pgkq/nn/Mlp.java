package dev.pgkq.nn;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The shape of a fully connected network: ReLU between layers, nothing after the last.
 *
 * <pre>
 *   h_0 = x,   h_l = max(0, h_{l−1} W_l + b_l),   y = h_{L−1} W_L + b_L
 * </pre>
 *
 * Parameters live in a flat array that the owner of the network keeps, W_1, b_1, W_2, b_2, … with W_l row-major inputs ×
 * outputs: an optimiser, a checkpoint or a score vector then needs to know nothing of layers.
 */
public final class Mlp {
    private static final double LAST_LAYER_BOUND = 3e-3;

    private final int[] sizes;
    private final int[] offsets;
    private final Blas blas = Blas.best();
    private final Elementwise loops = Elementwise.best();

    /** A network with these numbers of units, from the inputs to the outputs. */
    public Mlp(int... sizes) {
        if (sizes.length < 2) {
            throw new IllegalArgumentException("a network needs inputs and outputs");
        }
        this.sizes = sizes.clone();
        this.offsets = new int[sizes.length];
        for (int l = 1; l < sizes.length; l++) {
            offsets[l] = offsets[l - 1] + (sizes[l - 1] + 1) * sizes[l];
        }
    }

    public int inputs() {
        return sizes[0];
    }

    public int outputs() {
        return sizes[sizes.length - 1];
    }

    public int parameterCount() {
        return offsets[offsets.length - 1];
    }

    private int layers() {
        return sizes.length - 1;
    }

    /** Where layer {@code l} = 1 … L keeps its weights. */
    private int weights(int l) {
        return offsets[l - 1];
    }

    private int bias(int l) {
        return offsets[l - 1] + sizes[l - 1] * sizes[l];
    }

    /**
     * Start values: hidden weights uniform on ±√(6 / inputs), last layer uniform on ±3e-3 so that outputs start near 0,
     * biases 0.
     */
    public void initialize(float[] parameters, RandomStream random) {
        initialize(parameters, random, LAST_LAYER_BOUND);
    }

    /** The same with the last layer uniform on ±{@code lastBound}. */
    public void initialize(float[] parameters, RandomStream random, double lastBound) {
        for (int l = 1; l <= layers(); l++) {
            double bound = l == layers() ? lastBound : Math.sqrt(6.0 / sizes[l - 1]);
            for (int i = weights(l); i < bias(l); i++) {
                parameters[i] = (float) random.uniform(-bound, bound);
            }
            Arrays.fill(parameters, bias(l), offsets[l], 0f);
        }
    }

    /** Room for the activations and their gradients of up to {@code maxRows} inputs; belongs to one thread. */
    public final class Workspace {
        private final float[][] activations = new float[sizes.length][];
        private final float[][] gradients = new float[sizes.length][];

        public Workspace(int maxRows) {
            for (int l = 0; l < sizes.length; l++) {
                activations[l] = new float[maxRows * sizes[l]];
                gradients[l] = l == 0 ? new float[0] : new float[maxRows * sizes[l]];
            }
        }

        /** Rows of inputs, to be filled before a forward pass. */
        public float[] input() {
            return activations[0];
        }

        /** Rows of outputs, after a forward pass. */
        public float[] output() {
            return activations[layers()];
        }

        /** Rows of ∂/∂output, to be filled before a backward pass, which destroys them. */
        public float[] outputGradient() {
            return gradients[layers()];
        }
    }

    /** Output for the first {@code rows} rows of the workspace's input; the fast way, for training. */
    public void forward(float[] parameters, Workspace workspace, int rows) {
        for (int l = 1; l <= layers(); l++) {
            float[] in = workspace.activations[l - 1];
            float[] out = workspace.activations[l];
            blas.multiply(NO, NO, rows, sizes[l], sizes[l - 1], in, 0, parameters, weights(l), 0f, out, 0);
            loops.addBias(out, rows, sizes[l], parameters, bias(l), l < layers());
        }
    }

    /**
     * The same as {@link #forward}, rounded in a way that does not depend on the number of rows: for rollouts, where the
     * rows are whichever episodes happen to be alive.
     */
    public void forwardRowwise(float[] parameters, Workspace workspace, int rows) {
        for (int l = 1; l <= layers(); l++) {
            loops.affineRows(
                    workspace.activations[l - 1],
                    rows,
                    sizes[l - 1],
                    sizes[l],
                    parameters,
                    weights(l),
                    l < layers(),
                    workspace.activations[l]);
        }
    }

    /** Outputs of all rows of {@code inputs}, in parallel; the same bits on any number of workers. */
    public float[] forwardAll(float[] parameters, float[] inputs, Workers workers) {
        return forwardAll(parameters, inputs, Chunks.of(inputs.length / inputs()), workers);
    }

    /** The same for the rows of episodes; an episode's bits do not depend on the others. */
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

    /** Adds ∂/∂parameters to {@code into}, for the rows of the last {@link #forward} and their output gradients. */
    public void backward(float[] parameters, Workspace workspace, int rows, float[] into) {
        backward(parameters, workspace, rows, (l, in, inputs, gradient, outputs) -> {
            blas.multiply(YES, NO, inputs, outputs, rows, in, 0, gradient, 0, 1f, into, weights(l));
            loops.addColumnSums(gradient, rows, outputs, into, bias(l));
        });
    }

    /** Sees a layer on the way back. */
    @FunctionalInterface
    public interface LayerVisitor {
        /**
         * @param layer 1 … L
         * @param in h_{l−1}, rows of {@code inputs} values
         * @param gradient ∂/∂(h_{l−1} W_l + b_l), rows of {@code outputs} values. A row's gradient for W_l is the outer
         *     product of the two, and for b_l the second itself
         */
        void visit(int layer, float[] in, int inputs, float[] gradient, int outputs);
    }

    /** Goes back through the layers, for the rows of the last {@link #forward} and their output gradients. */
    public void backward(float[] parameters, Workspace workspace, int rows, LayerVisitor visitor) {
        for (int l = layers(); l >= 1; l--) {
            float[] in = workspace.activations[l - 1];
            float[] gradient = workspace.gradients[l];
            visitor.visit(l, in, sizes[l - 1], gradient, sizes[l]);
            if (l > 1) {
                float[] below = workspace.gradients[l - 1];
                blas.multiply(NO, YES, rows, sizes[l - 1], sizes[l], gradient, 0, parameters, weights(l), 0f, below, 0);
                loops.reluBackward(below, in, rows * sizes[l - 1]);
            }
        }
    }

    /** Units of each layer, inputs first. */
    public int[] sizes() {
        return sizes.clone();
    }

    /** Returns the names and shapes of the parameters in a checkpoint. */
    public ParameterLayout layout() {
        return ParameterLayout.ofLayers(sizes);
    }

    /**
     * Adds the attributes that a reader of a checkpoint needs to evaluate the network.
     *
     * @param outputActivation what the owner of the network applies to its outputs; {@code identity} for nothing
     */
    public void describe(String name, String outputActivation, Snapshot.Builder into) {
        into.attribute(
                name + "/sizes",
                Arrays.stream(sizes).mapToObj(Integer::toString).collect(Collectors.joining(",")));
        into.attribute(name + "/hidden_activation", "relu");
        into.attribute(name + "/output_activation", outputActivation);
    }
}
