package dev.pgkq.policy;

import dev.pgkq.nn.Adam;
import dev.pgkq.nn.ChunkedGradient;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.Mlp;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;

/**
 * The baseline V(s), a network observation → 200 → 100 → 1, fitted to returns by weighted least squares:
 *
 * <pre>
 *   L = Σ_i w_i (V(s_i) − y_i)² / Σ_i w_i
 * </pre>
 */
public final class ValueFunction {
    private final Mlp network;
    private final float[] parameters;
    private final Adam adam;
    private final Workers workers;
    private final ChunkedGradient<Mlp.Workspace> gradients;
    private final float[] gradient;

    private ValueFunction(int observationSize, double learningRate, Workers workers) {
        this.network = new Mlp(observationSize, 200, 100, 1);
        this.parameters = new float[network.parameterCount()];
        this.gradient = new float[parameters.length];
        this.adam = new Adam(parameters.length, learningRate);
        this.workers = workers;
        this.gradients = new ChunkedGradient<>(
                workers, parameters.length, () -> network.new Workspace(ChunkedGradient.CHUNK_ROWS));
    }

    /** A value function with the start values of a run. */
    public static ValueFunction initialize(int observationSize, double learningRate, long seed, Workers workers) {
        ValueFunction value = new ValueFunction(observationSize, learningRate, workers);
        value.network.initialize(value.parameters, RandomStream.of(seed, Purpose.VALUE_INIT));
        return value;
    }

    /** The live parameters. */
    public float[] parameters() {
        return parameters;
    }

    public Adam optimizer() {
        return adam;
    }

    /** V of each row of {@code observations}. */
    public float[] predict(float[] observations) {
        int size = network.inputs();
        int rows = observations.length / size;
        float[] values = new float[rows];
        int chunks = Math.ceilDiv(rows, ChunkedGradient.CHUNK_ROWS);
        Mlp.Workspace[] workspaces = new Mlp.Workspace[workers.count()];
        workers.run(chunks, (worker, c) -> {
            if (workspaces[worker] == null) {
                workspaces[worker] = network.new Workspace(ChunkedGradient.CHUNK_ROWS);
            }
            Mlp.Workspace workspace = workspaces[worker];
            int from = c * ChunkedGradient.CHUNK_ROWS;
            int count = Math.min(rows - from, ChunkedGradient.CHUNK_ROWS);
            System.arraycopy(observations, from * size, workspace.input(), 0, count * size);
            network.forward(parameters, workspace, count);
            System.arraycopy(workspace.output(), 0, values, from, count);
        });
        return values;
    }

    /** Fits V to the targets and returns the loss, as the last epoch's minibatches saw it. */
    public double fit(ValueTargets targets, Minibatches minibatches, long seed, int iteration) {
        double total = targets.totalWeight();
        double[] lastEpoch = new double[1];
        if (!(total > 0)) {
            return 0;
        }
        minibatches.forEach(
                targets.size(),
                epoch -> RandomStream.of(seed, Purpose.VALUE_SHUFFLE, iteration, epoch),
                (epoch, order, from, to) -> {
                    double share = (double) (to - from) / targets.size();
                    double loss = loss(targets, order, from, to, total * share, gradient);
                    adam.descend(parameters, gradient);
                    if (epoch == minibatches.epochs() - 1) {
                        lastEpoch[0] += share * loss;
                    }
                });
        return lastEpoch[0];
    }

    /**
     * Σ w_i (V(s_i) − y_i)² / {@code weight} and its gradient over the samples {@code order[from … to)}. With the total
     * weight times the minibatch's share of the samples, this is an unbiased estimate of L.
     */
    double loss(ValueTargets targets, int[] order, int from, int to, double weight, float[] into) {
        return gradients
                .sum(
                        order,
                        from,
                        to,
                        1,
                        (workspace, indices, start, end, part, sums) ->
                                sums[0] += chunk(targets, indices, start, end, weight, workspace, part),
                        into)[0];
    }

    private double chunk(
            ValueTargets targets, int[] order, int from, int to, double weight, Mlp.Workspace workspace, float[] into) {
        int size = network.inputs();
        int rows = to - from;
        for (int r = 0; r < rows; r++) {
            System.arraycopy(targets.observations(), order[from + r] * size, workspace.input(), r * size, size);
        }
        network.forward(parameters, workspace, rows);
        double loss = 0;
        for (int r = 0; r < rows; r++) {
            double share = targets.weights()[order[from + r]] / weight;
            double error = workspace.output()[r] - targets.values()[order[from + r]];
            loss += share * error * error;
            workspace.outputGradient()[r] = (float) (2 * share * error);
        }
        network.backward(parameters, workspace, rows, into);
        return loss;
    }
}
