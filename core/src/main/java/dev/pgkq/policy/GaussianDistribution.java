package dev.pgkq.policy;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * A diagonal Gaussian: a ~ N(μ(s), diag σ²), where μ(s) is the tanh of the network's outputs and log σ are the free parameters.
 *
 * <pre>
 *   log π(a|s) = Σ_i −½ ((a_i − μ_i)/σ_i)² − log σ_i − ½ log 2π
 *   ∂ log π/∂μ_i = (a_i − μ_i)/σ_i²,   ∂ log π/∂ log σ_i = ((a_i − μ_i)/σ_i)² − 1
 * </pre>
 *
 * Actions are not clipped here. The environment's side clips them, and log π refers to the unclipped action. The entropy,
 * Σ_i (log σ_i + ½ log 2πe), does not depend on s.
 *
 * @param size number of values in an action
 */
record GaussianDistribution(int size) implements ActionDistribution {
    private static final double LOG_SQRT_TWO_PI = 0.5 * Math.log(2 * Math.PI);
    private static final float LOG_SIGMA_START = -1f;
    private static final Elementwise LOOPS = Elementwise.best();

    private double logSigma(float[] parameters, int action) {
        return parameters[parameters.length - size + action];
    }

    @Override
    public int freeParameters() {
        return size;
    }

    @Override
    public void initialize(float[] parameters) {
        Arrays.fill(parameters, parameters.length - size, parameters.length, LOG_SIGMA_START);
    }

    @Override
    public ParameterLayout layout(ParameterLayout network) {
        return network.and("log_std", size);
    }

    @Override
    public String name() {
        return "gaussian";
    }

    @Override
    public String outputActivation() {
        return "tanh";
    }

    @Override
    public void activate(float[] outputs, int rows) {
        LOOPS.tanh(outputs, rows * size);
    }

    @Override
    public void draw(float[] parameters, Policy.Batch batch, int rows, RandomStream[] streams) {
        for (int i = 0; i < size; i++) {
            double sigma = Math.exp(logSigma(parameters, i));
            for (int r = 0; r < rows; r++) {
                int at = r * size + i;
                batch.actions()[at] = (float) (batch.outputs()[at] + sigma * streams[r].nextGaussian());
            }
        }
    }

    @Override
    public void act(Policy.Batch batch, int rows) {
        System.arraycopy(batch.outputs(), 0, batch.actions(), 0, rows * size);
    }

    @Override
    public void logProbs(float[] parameters, Policy.Batch batch, int rows) {
        float[] actions = batch.actions();
        float[] means = batch.outputs();
        double[] logProbs = batch.logProbs();
        Arrays.fill(logProbs, 0, rows, 0.0);
        for (int i = 0; i < size; i++) {
            double inverseSigma = Math.exp(-logSigma(parameters, i));
            double constant = logSigma(parameters, i) + LOG_SQRT_TWO_PI;
            for (int r = 0; r < rows; r++) {
                int at = r * size + i;
                double distance = (actions[at] - means[at]) * inverseSigma;
                logProbs[r] -= 0.5 * distance * distance + constant;
            }
        }
    }

    @Override
    public void gradients(float[] parameters, Policy.Batch batch, int rows, double entropyFactor) {
        float[] ofOutputs = batch.outputGradients();
        double[] ofDeviations = batch.freeScores();
        for (int i = 0; i < size; i++) {
            double inverseSigma = Math.exp(-logSigma(parameters, i));
            for (int r = 0; r < rows; r++) {
                int at = r * size + i;
                double mean = batch.outputs()[at];
                double distance = (batch.actions()[at] - mean) * inverseSigma;
                double factor = batch.factors()[r];
                ofOutputs[at] = (float) (factor * distance * inverseSigma * (1 - mean * mean));
                ofDeviations[at] = factor * (distance * distance - 1);
            }
        }
    }

    @Override
    public double entropy(Policy.Batch batch, int row) {
        return 0;
    }

    @Override
    public double freeEntropy(float[] parameters) {
        double entropy = 0;
        for (int i = 0; i < size; i++) {
            entropy += logSigma(parameters, i) + LOG_SQRT_TWO_PI + 0.5;
        }
        return entropy;
    }

    @Override
    public void addFreeEntropyGradient(float factor, float[] into) {
        for (int i = into.length - size; i < into.length; i++) {
            into[i] += factor;
        }
    }
}
