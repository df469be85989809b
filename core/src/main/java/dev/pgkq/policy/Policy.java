package dev.pgkq.policy;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.nn.HiddenLayers;
import dev.pgkq.nn.InputScale;
import dev.pgkq.nn.Mlp;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;

/**
 * A policy π(a|s): a network observation → hidden layers → values of an encoded action, and a distribution with the network's
 * outputs as its parameters: Gaussian for continuous actions, categorical for discrete ones. Actions are encoded, see
 * {@link ActionSpace}.
 */
public final class Policy {
    private static final String OBSERVATION = "/observation";

    private final Mlp network;
    private final InputScale scale;
    private final ActionDistribution distribution;
    private final float[] parameters;

    private Policy(int observationSize, InputScale scale, HiddenLayers hidden, ActionDistribution distribution) {
        this.network = hidden.between(observationSize, scale, distribution.size());
        this.scale = scale;
        this.distribution = distribution;
        this.parameters = new float[network.parameterCount() + distribution.freeParameters()];
    }

    /**
     * {@return a policy with the standard hidden layers and random initial weights; the deviation σ of continuous actions is 1/e}
     *
     * @param spec the observations and actions of the environment
     * @param seed determines the weights
     */
    public static Policy initialize(EnvironmentSpec spec, long seed) {
        return initialize(spec, HiddenLayers.STANDARD, seed);
    }

    /**
     * {@return a policy with random initial weights; the deviation σ of continuous actions is 1/e}
     *
     * @param spec the observations and actions of the environment
     * @param hidden hidden layers of the network
     * @param seed determines the weights
     */
    public static Policy initialize(EnvironmentSpec spec, HiddenLayers hidden, long seed) {
        return initialize(spec, InputScale.NONE, hidden, seed);
    }

    /**
     * {@return a policy that normalises observations, with random initial weights; the deviation σ of continuous actions is 1/e}
     *
     * @param spec the observations and actions of the environment
     * @param scale the live normalisation of observations
     * @param hidden hidden layers of the network
     * @param seed determines the weights
     */
    public static Policy initialize(EnvironmentSpec spec, InputScale scale, HiddenLayers hidden, long seed) {
        return initialize(spec.observationSize(), scale, hidden, ActionDistribution.of(spec.actions()), seed);
    }

    /**
     * {@return a policy for continuous actions with the standard hidden layers, random initial weights and σ = 1/e}
     *
     * @param observationSize number of values in an observation
     * @param actionSize number of values in an action
     * @param seed determines the weights
     */
    public static Policy gaussian(int observationSize, int actionSize, long seed) {
        return initialize(
                observationSize, InputScale.NONE, HiddenLayers.STANDARD, new GaussianDistribution(actionSize), seed);
    }

    private static Policy initialize(
            int observationSize, InputScale scale, HiddenLayers hidden, ActionDistribution distribution, long seed) {
        Policy policy = new Policy(observationSize, scale, hidden, distribution);
        policy.network.initialize(policy.parameters, RandomStream.of(seed, Purpose.POLICY_INIT));
        distribution.initialize(policy.parameters);
        return policy;
    }

    /** {@return the number of values in an observation} */
    public int observationSize() {
        return network.inputs();
    }

    /** {@return the number of values in an encoded action} */
    public int actionSize() {
        return distribution.size();
    }

    /** {@return the live normalisation of observations, which a checkpoint of the policy includes} */
    public InputScale inputScale() {
        return scale;
    }

    /** Returns the number of parameters that are not the network's, the last ones. */
    int freeParameters() {
        return distribution.freeParameters();
    }

    /** {@return the live parameters, not a copy: the network's, then those of the distribution that do not depend on s} */
    public float[] parameters() {
        return parameters;
    }

    /** {@return the names and shapes of the parameters in a checkpoint: the network's, then {@code log_std} if Gaussian} */
    public ParameterLayout layout() {
        return distribution.layout(network.layout());
    }

    /**
     * Saves the parameters as tensors {@code name/…}, with the attributes that describe the network and the distribution.
     *
     * @param name prefix of the tensors and attributes
     * @param into receives the tensors and attributes
     */
    public void save(String name, Snapshot.Builder into) {
        layout().save(name, parameters, into);
        network.describe(name, distribution.outputActivation(), into);
        into.attribute(name + "/distribution", distribution.name());
        scale.save(name + OBSERVATION, into);
    }

    /**
     * Restores the parameters that {@link #save} saved.
     *
     * @param name prefix of the tensors
     * @param saved the saved state
     * @throws IllegalArgumentException if a tensor is missing, or if the saved policy has other sizes or another distribution
     */
    public void restore(String name, Snapshot saved) {
        // before there were discrete actions, checkpoints did not name the distribution
        String found = saved.attributes().getOrDefault(name + "/distribution", "gaussian");
        if (!found.equals(distribution.name())) {
            throw new IllegalArgumentException("the saved policy is for other actions: its distribution is " + found
                    + ", that of the task " + distribution.name());
        }
        network.requireActivation(name, saved);
        layout().restore(name, saved, parameters);
        scale.restore(name + OBSERVATION, saved);
    }

    /**
     * {@return the part of the entropy that does not depend on s, in nats: for a Gaussian Σ_i (log σ_i + ½ log 2πe), all of it;
     * for discrete actions 0}
     */
    public double freeEntropy() {
        return distribution.freeEntropy(parameters);
    }

    /**
     * {@return the part of the entropy that depends on s, in nats: for a Gaussian 0; for discrete actions all of it}
     *
     * @param batch an evaluated batch
     * @param row a row of it
     */
    public double entropy(Batch batch, int row) {
        return distribution.entropy(batch, row);
    }

    /**
     * Adds {@code factor} × ∂/∂θ of {@link #freeEntropy} to a gradient.
     *
     * @param factor factor of the entropy in the objective
     * @param into gradient to add to, parallel to {@link #parameters}
     */
    public void addFreeEntropyGradient(float factor, float[] into) {
        distribution.addFreeEntropyGradient(factor, into);
    }

    /** Buffers for up to a maximal number of observations and actions; used by one thread at a time. */
    public final class Batch {
        private final Mlp.Workspace workspace;
        private final float[] actions;
        private final double[] logProbs;
        private final double[] factors;
        private final double[] freeScores;

        private Batch(int maxRows) {
            workspace = network.new Workspace(maxRows);
            actions = new float[maxRows * actionSize()];
            logProbs = new double[maxRows];
            factors = new double[maxRows];
            freeScores = new double[maxRows * freeParameters()];
        }

        /** {@return the rows of observations, to be filled before use} */
        public float[] observations() {
            return workspace.input();
        }

        /** {@return the rows of encoded actions: set by {@link #draw} or {@link #act}, or filled before {@link #evaluate}} */
        public float[] actions() {
            return actions;
        }

        /**
         * {@return the rows of μ(s), or of the logarithm of each category's probability if actions are discrete; after
         * {@link #draw}, {@link #act} or {@link #evaluate}}
         */
        public float[] outputs() {
            return workspace.output();
        }

        /** {@return log π(a|s) of each row, after {@link #draw}, {@link #act} or {@link #evaluate}} */
        public double[] logProbs() {
            return logProbs;
        }

        /** Returns the rows of derivatives by the network's outputs, for the backward pass. */
        float[] outputGradients() {
            return workspace.outputGradient();
        }

        /** Returns the rows of factor · ∂ log π/∂ free parameters, after {@link #visitScores}. */
        double[] freeScores() {
            return freeScores;
        }

        /** {@return the factor of each row's score in {@link #addScores}, to be filled before that call} */
        public double[] factors() {
            return factors;
        }
    }

    /**
     * Creates buffers for this policy.
     *
     * @param maxRows the largest number of rows
     * @return the buffers, to be used by one thread at a time
     */
    public Batch batch(int maxRows) {
        return new Batch(maxRows);
    }

    /**
     * Computes the outputs and log-probabilities of the first rows of a batch.
     *
     * @param batch holds the observations and actions; receives the results
     * @param rows number of rows to use
     */
    public void evaluate(Batch batch, int rows) {
        network.forward(parameters, batch.workspace, rows);
        distribution.activate(batch.outputs(), rows);
        distribution.logProbs(parameters, batch, rows);
    }

    /**
     * Draws an action for each of the first rows of a batch, from the row's own stream. A row's result does not depend on the
     * other rows.
     *
     * @param batch holds the observations; receives the actions, outputs and log-probabilities
     * @param rows number of rows to use
     * @param streams the stream of each row
     */
    public void draw(Batch batch, int rows, RandomStream[] streams) {
        outputsRowwise(batch, rows);
        distribution.draw(parameters, batch, rows, streams);
        distribution.logProbs(parameters, batch, rows);
    }

    /**
     * Sets the action of each of the first rows of a batch to the mean, or to the most probable one if actions are discrete:
     * for evaluation.
     *
     * @param batch holds the observations; receives the actions, outputs and log-probabilities
     * @param rows number of rows to use
     */
    public void act(Batch batch, int rows) {
        outputsRowwise(batch, rows);
        distribution.act(batch, rows);
        distribution.logProbs(parameters, batch, rows);
    }

    private void outputsRowwise(Batch batch, int rows) {
        network.forwardRowwise(parameters, batch.workspace, rows);
        distribution.activate(batch.outputs(), rows);
    }

    /**
     * Adds Σ_r factor_r ∇ log π(a_r|s_r) to a gradient, for the rows of the last {@link #evaluate}.
     *
     * @param batch the evaluated batch, with its {@link Batch#factors} filled
     * @param rows number of rows that were evaluated
     * @param into gradient to add to, parallel to {@link #parameters}
     */
    public void addScores(Batch batch, int rows, float[] into) {
        addScores(batch, rows, 0, into);
    }

    /**
     * Adds Σ_r (factor_r ∇ log π(a_r|s_r) + entropyFactor ∇ H_r) to a gradient, for the rows of the last {@link #evaluate}.
     *
     * @param batch the evaluated batch, with its {@link Batch#factors} filled
     * @param rows number of rows that were evaluated
     * @param entropyFactor factor of H_r, the {@link #entropy} of a row
     * @param into gradient to add to, parallel to {@link #parameters}
     */
    public void addScores(Batch batch, int rows, double entropyFactor, float[] into) {
        distribution.gradients(parameters, batch, rows, entropyFactor);
        int free = freeParameters();
        for (int i = 0; i < free; i++) {
            double sum = 0;
            for (int r = 0; r < rows; r++) {
                sum += batch.freeScores[r * free + i];
            }
            into[network.parameterCount() + i] += (float) sum;
        }
        network.backward(parameters, batch.workspace, rows, into);
    }

    /** Passes the rows' scores, each times its factor, to a visitor layer by layer, after {@link #evaluate}. */
    void visitScores(Batch batch, int rows, Mlp.LayerVisitor layers) {
        distribution.gradients(parameters, batch, rows, 0);
        network.backward(parameters, batch.workspace, rows, layers);
    }

    /** Returns the units of the network's layers, observations first. */
    int[] layerSizes() {
        return network.sizes();
    }
}
