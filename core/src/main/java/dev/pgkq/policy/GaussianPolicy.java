package dev.pgkq.policy;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.nn.Mlp;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;

/**
 * A diagonal Gaussian policy: a ~ N(μ(s), diag σ²), where μ(s) is the tanh of a network observation → 200 → 100 → actions
 * and log σ is a vector of free parameters.
 *
 * <pre>
 *   log π(a|s) = Σ_i −½ ((a_i − μ_i)/σ_i)² − log σ_i − ½ log 2π
 *   ∂ log π/∂μ_i = (a_i − μ_i)/σ_i²,   ∂ log π/∂ log σ_i = ((a_i − μ_i)/σ_i)² − 1
 * </pre>
 *
 * Actions are not clipped here. The environment's side clips them, and log π refers to the unclipped action.
 */
public final class GaussianPolicy {
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    private static final float LOG_SIGMA_START = -1f;

    private final Mlp network;
    private final float[] parameters;
    private final int actionSize;
    private final Elementwise loops = Elementwise.best();

    private GaussianPolicy(int observationSize, int actionSize) {
        this.network = new Mlp(observationSize, 200, 100, actionSize);
        this.actionSize = actionSize;
        this.parameters = new float[network.parameterCount() + actionSize];
    }

    /**
     * {@return a policy with random initial weights and log σ = −1}
     *
     * @param observationSize number of values in an observation
     * @param actionSize number of values in an action
     * @param seed determines the weights
     */
    public static GaussianPolicy initialize(int observationSize, int actionSize, long seed) {
        GaussianPolicy policy = new GaussianPolicy(observationSize, actionSize);
        policy.network.initialize(policy.parameters, RandomStream.of(seed, Purpose.POLICY_INIT));
        Arrays.fill(policy.parameters, policy.network.parameterCount(), policy.parameters.length, LOG_SIGMA_START);
        return policy;
    }

    /** {@return the number of values in an observation} */
    public int observationSize() {
        return network.inputs();
    }

    /** {@return the number of values in an action} */
    public int actionSize() {
        return actionSize;
    }

    /** {@return the live parameters, not a copy: the network's, then log σ} */
    public float[] parameters() {
        return parameters;
    }

    /** {@return the names and shapes of the parameters in a checkpoint: the network's, then {@code log_std}} */
    public ParameterLayout layout() {
        return network.layout().and("log_std", actionSize);
    }

    /**
     * Saves the parameters as tensors {@code name/…}, with the attributes that describe the network.
     *
     * @param name prefix of the tensors and attributes
     * @param into receives the tensors and attributes
     */
    public void save(String name, Snapshot.Builder into) {
        layout().save(name, parameters, into);
        network.describe(name, "tanh", into);
    }

    /**
     * Restores the parameters that {@link #save} saved.
     *
     * @param name prefix of the tensors
     * @param saved the saved state
     * @throws IllegalArgumentException if a tensor is missing or the saved policy has other sizes
     */
    public void restore(String name, Snapshot saved) {
        layout().restore(name, saved, parameters);
    }

    private double logSigma(int action) {
        return parameters[network.parameterCount() + action];
    }

    /** {@return the entropy in nats, Σ_i (log σ_i + ½ log 2πe)} */
    public double entropy() {
        double entropy = 0;
        for (int i = 0; i < actionSize; i++) {
            entropy += logSigma(i) + LOG_SQRT_TWO_PI + 0.5;
        }
        return entropy;
    }

    /**
     * Adds {@code factor} × ∂ entropy/∂θ to a gradient. The derivative is 1 for each log σ and 0 elsewhere.
     *
     * @param factor factor of the entropy in the objective
     * @param into gradient to add to, parallel to {@link #parameters}
     */
    public void addEntropyGradient(float factor, float[] into) {
        for (int i = network.parameterCount(); i < parameters.length; i++) {
            into[i] += factor;
        }
    }

    /** Buffers for up to a maximal number of observations and actions; used by one thread at a time. */
    public final class Batch {
        private final Mlp.Workspace workspace;
        private final float[] actions;
        private final double[] logProbs;
        private final double[] factors;
        private final double[] deviationScores;

        private Batch(int maxRows) {
            workspace = network.new Workspace(maxRows);
            actions = new float[maxRows * actionSize];
            logProbs = new double[maxRows];
            factors = new double[maxRows];
            deviationScores = new double[maxRows * actionSize];
        }

        /** {@return the rows of observations, to be filled before use} */
        public float[] observations() {
            return workspace.input();
        }

        /** {@return the rows of actions: set by {@link #draw} or {@link #act}, or filled before {@link #evaluate}} */
        public float[] actions() {
            return actions;
        }

        /** {@return the rows of μ(s), after {@link #draw}, {@link #act} or {@link #evaluate}} */
        public float[] means() {
            return workspace.output();
        }

        /** {@return log π(a|s) of each row, after {@link #draw}, {@link #act} or {@link #evaluate}} */
        public double[] logProbs() {
            return logProbs;
        }

        /** Returns the rows of factor · ∂ log π/∂ log σ, after {@link #visitScores}. */
        double[] deviationScores() {
            return deviationScores;
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
     * Computes the means and log-probabilities of the first rows of a batch.
     *
     * @param batch holds the observations and actions; receives the results
     * @param rows number of rows to use
     */
    public void evaluate(Batch batch, int rows) {
        network.forward(parameters, batch.workspace, rows);
        squash(batch.means(), rows);
        logProbs(batch, rows);
    }

    /**
     * Draws an action for each of the first rows of a batch, from the row's own stream. A row's result does not depend on the
     * other rows.
     *
     * @param batch holds the observations; receives the actions, means and log-probabilities
     * @param rows number of rows to use
     * @param streams the stream of each row
     */
    public void draw(Batch batch, int rows, RandomStream[] streams) {
        meansRowwise(batch, rows);
        for (int i = 0; i < actionSize; i++) {
            double sigma = Math.exp(logSigma(i));
            for (int r = 0; r < rows; r++) {
                int at = r * actionSize + i;
                batch.actions[at] = (float) (batch.means()[at] + sigma * streams[r].nextGaussian());
            }
        }
        logProbs(batch, rows);
    }

    /**
     * Uses the mean as the action of each of the first rows of a batch, for evaluation.
     *
     * @param batch holds the observations; receives the actions, means and log-probabilities
     * @param rows number of rows to use
     */
    public void act(Batch batch, int rows) {
        meansRowwise(batch, rows);
        System.arraycopy(batch.means(), 0, batch.actions, 0, rows * actionSize);
        logProbs(batch, rows);
    }

    private void meansRowwise(Batch batch, int rows) {
        network.forwardRowwise(parameters, batch.workspace, rows);
        squash(batch.means(), rows);
    }

    private void squash(float[] outputs, int rows) {
        loops.tanh(outputs, rows * actionSize);
    }

    private void logProbs(Batch batch, int rows) {
        Arrays.fill(batch.logProbs, 0, rows, 0.0);
        for (int i = 0; i < actionSize; i++) {
            double inverseSigma = Math.exp(-logSigma(i));
            double constant = logSigma(i) + LOG_SQRT_TWO_PI;
            for (int r = 0; r < rows; r++) {
                int at = r * actionSize + i;
                double distance = (batch.actions[at] - batch.means()[at]) * inverseSigma;
                batch.logProbs[r] -= 0.5 * distance * distance + constant;
            }
        }
    }

    /**
     * Adds Σ_r factor_r ∇ log π(a_r|s_r) to a gradient, for the rows of the last {@link #evaluate}.
     *
     * @param batch the evaluated batch, with its {@link Batch#factors} filled
     * @param rows number of rows that were evaluated
     * @param into gradient to add to, parallel to {@link #parameters}
     */
    public void addScores(Batch batch, int rows, float[] into) {
        outputGradients(batch, rows);
        for (int i = 0; i < actionSize; i++) {
            double sum = 0;
            for (int r = 0; r < rows; r++) {
                sum += batch.deviationScores[r * actionSize + i];
            }
            into[network.parameterCount() + i] += (float) sum;
        }
        network.backward(parameters, batch.workspace, rows, into);
    }

    /** Passes the rows' scores, each times its factor, to a visitor layer by layer, after {@link #evaluate}. */
    void visitScores(Batch batch, int rows, Mlp.LayerVisitor layers) {
        outputGradients(batch, rows);
        network.backward(parameters, batch.workspace, rows, layers);
    }

    private void outputGradients(Batch batch, int rows) {
        float[] outputGradient = batch.workspace.outputGradient();
        for (int i = 0; i < actionSize; i++) {
            double inverseSigma = Math.exp(-logSigma(i));
            for (int r = 0; r < rows; r++) {
                int at = r * actionSize + i;
                double mean = batch.means()[at];
                double distance = (batch.actions[at] - mean) * inverseSigma;
                double factor = batch.factors[r];
                outputGradient[at] = (float) (factor * distance * inverseSigma * (1 - mean * mean));
                batch.deviationScores[at] = factor * (distance * distance - 1);
            }
        }
    }

    /** Returns the units of the network's layers, observations first. */
    int[] layerSizes() {
        return network.sizes();
    }
}
