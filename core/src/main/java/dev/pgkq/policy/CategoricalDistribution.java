package dev.pgkq.policy;

import dev.pgkq.nn.ParameterLayout;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * One categorical distribution, or several that are independent given s. An action a is one-hot: for each part it is 1 at the
 * category taken and 0 elsewhere. The network's outputs z are logits. With the sums over the categories of one part,
 *
 * <pre>
 *   log p_j = z_j − log Σ_k exp z_k,   log π(a|s) = Σ_j a_j log p_j,   ∂ log π/∂z_j = a_j − p_j
 *   H = −Σ_j p_j log p_j,   ∂H/∂z_j = −p_j (log p_j + H)
 * </pre>
 *
 * and the parts add up. There are no free parameters.
 */
final class CategoricalDistribution implements ActionDistribution {
    private final int[] categories;
    private final int size;

    CategoricalDistribution(int... categories) {
        this.categories = categories.clone();
        this.size = Arrays.stream(categories).sum();
    }

    @Override
    public int size() {
        return size;
    }

    @Override
    public int freeParameters() {
        return 0;
    }

    @Override
    public void initialize(float[] parameters) {
        // there are none beside the network's
    }

    @Override
    public ParameterLayout layout(ParameterLayout network) {
        return network;
    }

    @Override
    public String name() {
        return Arrays.stream(categories)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(",", "categorical(", ")"));
    }

    @Override
    public String outputActivation() {
        return "log_softmax";
    }

    /** Converts logits to log p. The largest logit is subtracted first, so that no exponential overflows. */
    @Override
    public void activate(float[] outputs, int rows) {
        int from = 0;
        for (int r = 0; r < rows; r++) {
            for (int count : categories) {
                float largest = outputs[from];
                for (int j = from + 1; j < from + count; j++) {
                    largest = Math.max(largest, outputs[j]);
                }
                double sum = 0;
                for (int j = from; j < from + count; j++) {
                    sum += Math.exp(outputs[j] - largest);
                }
                double logSum = largest + Math.log(sum);
                for (int j = from; j < from + count; j++) {
                    outputs[j] = (float) (outputs[j] - logSum);
                }
                from += count;
            }
        }
    }

    /** Inverts the distribution function at one uniform number for each part. */
    @Override
    public void draw(float[] parameters, Policy.Batch batch, int rows, RandomStream[] streams) {
        float[] logs = batch.outputs();
        int from = 0;
        for (int r = 0; r < rows; r++) {
            for (int count : categories) {
                double left = streams[r].nextDouble() * total(logs, from, count);
                int taken = from;
                while (taken < from + count - 1 && left >= Math.exp(logs[taken])) {
                    left -= Math.exp(logs[taken]);
                    taken++;
                }
                take(batch.actions(), from, count, taken);
                from += count;
            }
        }
    }

    /** Rounding leaves the sum of probabilities a little beside 1. */
    private static double total(float[] logs, int from, int count) {
        double total = 0;
        for (int j = from; j < from + count; j++) {
            total += Math.exp(logs[j]);
        }
        return total;
    }

    private static void take(float[] actions, int from, int count, int taken) {
        Arrays.fill(actions, from, from + count, 0f);
        actions[taken] = 1f;
    }

    /** Takes the most probable category of each part, the first of those that are equally probable. */
    @Override
    public void act(Policy.Batch batch, int rows) {
        float[] logs = batch.outputs();
        int from = 0;
        for (int r = 0; r < rows; r++) {
            for (int count : categories) {
                int taken = from;
                for (int j = from + 1; j < from + count; j++) {
                    taken = logs[j] > logs[taken] ? j : taken;
                }
                take(batch.actions(), from, count, taken);
                from += count;
            }
        }
    }

    @Override
    public void logProbs(float[] parameters, Policy.Batch batch, int rows) {
        for (int r = 0; r < rows; r++) {
            double sum = 0;
            for (int j = r * size; j < (r + 1) * size; j++) {
                sum += batch.actions()[j] == 0 ? 0 : batch.outputs()[j];
            }
            batch.logProbs()[r] = sum;
        }
    }

    @Override
    public void gradients(float[] parameters, Policy.Batch batch, int rows, double entropyFactor) {
        float[] logs = batch.outputs();
        int from = 0;
        for (int r = 0; r < rows; r++) {
            double factor = batch.factors()[r];
            for (int count : categories) {
                double entropy = entropyFactor == 0 ? 0 : entropy(logs, from, count);
                for (int j = from; j < from + count; j++) {
                    double p = Math.exp(logs[j]);
                    batch.outputGradients()[j] =
                            (float) (factor * (batch.actions()[j] - p) - entropyFactor * p * (logs[j] + entropy));
                }
                from += count;
            }
        }
    }

    private static double entropy(float[] logs, int from, int count) {
        double entropy = 0;
        for (int j = from; j < from + count; j++) {
            entropy -= Math.exp(logs[j]) * logs[j];
        }
        return entropy;
    }

    @Override
    public double entropy(Policy.Batch batch, int row) {
        return entropy(batch.outputs(), row * size, size);
    }

    @Override
    public double freeEntropy(float[] parameters) {
        return 0;
    }

    @Override
    public void addFreeEntropyGradient(float factor, float[] into) {
        // there are no free parameters
    }
}
