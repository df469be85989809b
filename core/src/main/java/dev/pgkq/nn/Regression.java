package dev.pgkq.nn;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.IntToDoubleFunction;

/**
 * A function of a vector, f(x) = offset + scale · u(x) with u a network inputs → hidden layers → 1. It is fitted by weighted
 * least squares:
 *
 * <pre>
 *   L = Σ_i w_i (f(x_i) − y_i)² / Σ_i w_i
 * </pre>
 *
 * <p>The network learns in standard units: Adam minimizes L / scale². The units can follow the targets, see {@link #follow}.
 *
 * <p>The baseline V(s) and the mean reward m(s, a) are such functions.
 */
public final class Regression {
    private final Mlp network;
    private final float[] parameters;
    private final Adam adam;
    private final Workers workers;
    private final ChunkedGradient<Mlp.Workspace> gradients;
    private final float[] gradient;
    private final Optional<RunningUnits> running;
    private Units units;

    /**
     * Creates a function that is fitted to its targets as they are, and is near 0 everywhere.
     *
     * @param inputs size of x
     * @param learningRate of Adam
     * @param random draws the network's start values
     * @param workers share the rows
     */
    public Regression(int inputs, double learningRate, RandomStream random, Workers workers) {
        this(inputs, learningRate, TargetUnits.RAW, random, workers);
    }

    /**
     * Creates a function with the standard hidden layers.
     *
     * @param inputs size of x
     * @param learningRate of Adam
     * @param targetUnits units of the fit; the function is 0 everywhere until {@link #follow} knows them, or near 0 for raw ones
     * @param random draws the network's start values
     * @param workers share the rows
     */
    public Regression(int inputs, double learningRate, TargetUnits targetUnits, RandomStream random, Workers workers) {
        this(inputs, InputScale.NONE, HiddenLayers.STANDARD, learningRate, targetUnits, random, workers);
    }

    /**
     * Creates a function.
     *
     * @param inputs size of x
     * @param scale the live normalisation of its first components
     * @param hidden hidden layers of the network
     * @param learningRate of Adam
     * @param targetUnits units of the fit; the function is 0 everywhere until {@link #follow} knows them, or near 0 for raw ones
     * @param random draws the network's start values
     * @param workers share the rows
     */
    public Regression(
            int inputs,
            InputScale scale,
            HiddenLayers hidden,
            double learningRate,
            TargetUnits targetUnits,
            RandomStream random,
            Workers workers) {
        this.network = hidden.between(inputs, scale, 1);
        this.parameters = new float[network.parameterCount()];
        this.gradient = new float[parameters.length];
        this.adam = new Adam(parameters.length, learningRate);
        this.workers = workers;
        this.gradients = new ChunkedGradient<>(
                workers, parameters.length, () -> network.new Workspace(ChunkedGradient.CHUNK_ROWS));
        this.running = switch (targetUnits) {
            case RAW -> Optional.empty();
            case STANDARDIZED -> Optional.of(new RunningUnits());
        };
        this.units = running.map(RunningUnits::current).orElse(Units.RAW);
        network.initialize(parameters, random);
    }

    /** {@return the number of inputs} */
    public int inputs() {
        return network.inputs();
    }

    /** {@return the live parameters} */
    public float[] parameters() {
        return parameters;
    }

    /**
     * Evaluates f.
     *
     * @param inputs x, row by row
     * @return f(x) of each row
     */
    public double[] predict(float[] inputs) {
        float[] outputs = network.forwardAll(parameters, inputs, workers);
        double[] values = new double[outputs.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = units.offset() + units.scale() * outputs[i];
        }
        return values;
    }

    /**
     * Follows the values of an iteration's targets: standardized units move towards theirs, raw units stay. f stays the same
     * function, but for rounding: the network's last layer makes up for the change (H. van Hasselt et al.: Learning values
     * across many orders of magnitude, NeurIPS 2016). If the scale was 0, f was constant and nothing of it is kept: the network
     * then starts from its initial values in the new units.
     *
     * @param targets mean and deviation of the targets
     */
    public void follow(Units targets) {
        running.ifPresent(known -> {
            known.add(targets);
            rescale(known.current());
        });
    }

    private void rescale(Units changed) {
        if (units.scale() > 0 && changed.scale() > 0) {
            network.transformOutputs(
                    parameters, units.scale() / changed.scale(), (units.offset() - changed.offset()) / changed.scale());
        }
        units = changed;
    }

    /**
     * Fits f to targets.
     *
     * @param targets of the fit; if all weights are 0, nothing is changed and the loss is 0; if the scale is 0, nothing is
     *     changed either
     * @param minibatches of the fit
     * @param shuffles gives the random numbers of an epoch
     * @return the mean loss of the last epoch's minibatches, each before its update
     */
    public double fit(RegressionTargets targets, Minibatches minibatches, IntFunction<RandomStream> shuffles) {
        double total = targets.totalWeight();
        double[] lastEpoch = new double[1];
        if (!(total > 0 && units.scale() > 0)) {
            return 0;
        }
        RegressionTargets standard = targets.in(units);
        minibatches.forEach(targets.size(), shuffles, (epoch, order, from, to) -> {
            double share = (double) (to - from) / targets.size();
            double loss = descend(standard, order, from, to, total * share);
            if (epoch == minibatches.epochs() - 1) {
                lastEpoch[0] += share * loss;
            }
        });
        return units.scale() * units.scale() * lastEpoch[0];
    }

    /**
     * Fits f to a part of the targets, another part in every epoch.
     *
     * @param targets all of them
     * @param minibatches of the fit
     * @param orders gives the indices of the targets of an epoch
     */
    public void fitParts(RegressionTargets targets, Minibatches minibatches, IntFunction<int[]> orders) {
        double[] total = new double[1];
        if (!(units.scale() > 0)) {
            return;
        }
        RegressionTargets standard = targets.in(units);
        minibatches.forEach(orders, (epoch, order, from, to) -> {
            total[0] = from == 0 ? sum(targets.weights(), order) : total[0];
            if (total[0] > 0) {
                descend(standard, order, from, to, total[0] * (to - from) / order.length);
            }
        });
    }

    /**
     * Fits sums of f over groups of rows,
     *
     * <pre>
     *   L = Σ_g w_g (Σ_{i ∈ g} c_i f(x_i) − y_g)² / Σ_g w_g,
     * </pre>
     *
     * to a part of the groups, another part in every epoch.
     *
     * @param targets all groups
     * @param minibatches of the fit
     * @param orders gives the indices of the groups of an epoch
     */
    public void fitSums(SumTargets targets, Minibatches minibatches, IntFunction<int[]> orders) {
        double[] total = new double[1];
        if (!(units.scale() > 0)) {
            return;
        }
        SumTargets standard = targets.in(units);
        minibatches.forEach(orders, (epoch, order, from, to) -> {
            total[0] = from == 0 ? sum(targets.weights(), order) : total[0];
            if (total[0] > 0) {
                sumLoss(standard.of(order, from, to), total[0] * (to - from) / order.length, gradient);
                adam.descend(parameters, gradient);
            }
        });
    }

    /**
     * Σ_g w_g (Σ_i c_i u(x_i) − y_g)² / {@code weight} and its gradient, with targets in standard units. Where a sum is too
     * large by e, its rows get the targets u(x_i) − c_i e: the gradient of least squares is then that of the sums.
     */
    double sumLoss(SumTargets targets, double weight, float[] into) {
        float[] values = network.forwardAll(parameters, targets.inputs(), workers);
        double[] errors = sumErrors(targets, i -> values[i]);
        float[] weights = new float[values.length];
        double loss = 0;
        for (int g = 0; g < errors.length; g++) {
            double error = errors[g];
            for (int i = targets.starts()[g]; i < targets.starts()[g + 1]; i++) {
                values[i] -= (float) (targets.coefficients()[i] * error);
                weights[i] = targets.weights()[g];
            }
            loss += targets.weights()[g] / weight * error * error;
        }
        int[] order = new int[values.length];
        Arrays.setAll(order, i -> i);
        RegressionTargets rows = new RegressionTargets(values.length, targets.inputs(), values, weights);
        loss(rows, order, 0, order.length, weight, into);
        return loss;
    }

    /**
     * Computes the errors of sums.
     *
     * @param targets the groups and their sums
     * @return Σ_{i ∈ g} c_i f(x_i) − y_g of every group
     */
    public double[] sumErrors(SumTargets targets) {
        double[] values = predict(targets.inputs());
        return sumErrors(targets, i -> values[i]);
    }

    private static double[] sumErrors(SumTargets targets, IntToDoubleFunction value) {
        double[] errors = new double[targets.values().length];
        for (int g = 0; g < errors.length; g++) {
            errors[g] = -targets.values()[g];
            for (int i = targets.starts()[g]; i < targets.starts()[g + 1]; i++) {
                errors[g] += targets.coefficients()[i] * value.applyAsDouble(i);
            }
        }
        return errors;
    }

    private static double sum(float[] weights, int[] order) {
        double sum = 0;
        for (int index : order) {
            sum += weights[index];
        }
        return sum;
    }

    private double descend(RegressionTargets targets, int[] order, int from, int to, double weight) {
        double loss = loss(targets, order, from, to, weight, gradient);
        adam.descend(parameters, gradient);
        return loss;
    }

    /**
     * Σ w_i (u(x_i) − y_i)² / {@code weight} and its gradient over the samples {@code order[from … to)}. With the total
     * weight times the minibatch's share of the samples, the loss is an unbiased estimate of L.
     */
    double loss(RegressionTargets targets, int[] order, int from, int to, double weight, float[] into) {
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
            RegressionTargets targets,
            int[] order,
            int from,
            int to,
            double weight,
            Mlp.Workspace workspace,
            float[] into) {
        int size = network.inputs();
        int rows = to - from;
        for (int r = 0; r < rows; r++) {
            System.arraycopy(targets.inputs(), order[from + r] * size, workspace.input(), r * size, size);
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

    /**
     * Adds parameters and the optimiser's state to a checkpoint.
     *
     * @param name what the names of its entries start with
     * @param into the checkpoint
     */
    public void save(String name, Snapshot.Builder into) {
        network.layout().save(name, parameters, into);
        network.describe(name, "identity", into);
        adam.save(name + "/adam", network.layout(), into);
        running.ifPresent(known -> known.save(name + "/units", into));
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @param name what the names of its entries start with
     * @param saved the checkpoint
     * @throws IllegalArgumentException if the saved state does not fit
     */
    public void restore(String name, Snapshot saved) {
        network.requireActivation(name, saved);
        network.layout().restore(name, saved, parameters);
        adam.restore(name + "/adam", network.layout(), saved);
        running.ifPresent(known -> {
            known.restore(name + "/units", saved);
            units = known.current();
        });
    }
}
