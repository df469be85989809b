package dev.pgkq.gradient;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.nn.Adam;
import dev.pgkq.nn.ChunkedGradient;
import dev.pgkq.nn.LearningRateSchedule;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.text.Require;
import java.io.Serializable;

/**
 * Gradient ascent on a surrogate with Adam, minibatch by minibatch. With {@link Surrogate.LogLikelihood} this is VPG, with
 * {@link Surrogate.Clipped} it is PPO.
 *
 * <p>The objective is J = Σ_i surrogate(ℓ_i, A_i) + entropyBonus · H(π) over all M samples; a minibatch of B samples
 * estimates the sum by M/B times its own. H(π) is the mean entropy in the states of the samples; that of a Gaussian is the same
 * in every state.
 */
public final class SurrogateAscent implements PolicyGradient {
    private static final int OBJECTIVE = 0;
    private static final int LOG_RATIO = 1;
    private static final int CLIPPED = 2;
    private static final int ENTROPY = 3;
    private static final int STATISTICS = 4;

    private final Policy policy;
    private final Surrogate surrogate;
    private final Settings settings;
    private final long seed;
    private final Adam adam;
    private final ChunkedGradient<Policy.Batch> gradients;
    private final float[] gradient;
    private final Elementwise loops = Elementwise.best();

    /**
     * Settings of the ascent.
     *
     * @param minibatches number of epochs and of minibatches in each
     * @param learningRate learning rate of Adam
     * @param schedule how the learning rate changes
     * @param entropyBonus factor of the policy's entropy in the objective
     * @param maxGradientNorm longer gradients are scaled down to this norm; infinity disables it
     */
    public record Settings(
            Minibatches minibatches,
            double learningRate,
            LearningRateSchedule schedule,
            double entropyBonus,
            double maxGradientNorm)
            implements Serializable {
        /**
         * Checks the settings.
         *
         * @throws IllegalArgumentException if the learning rate is not a finite number above 0, the entropy bonus
         *     is not a finite number of at least 0, or the largest gradient norm is not above 0
         */
        public Settings {
            Require.positive("learning rate of the policy", learningRate);
            Require.notNegative("entropy bonus", entropyBonus);
            Require.that(maxGradientNorm > 0, "largest gradient norm must be above 0, got " + maxGradientNorm);
        }

        /**
         * Creates settings with a constant learning rate.
         *
         * @param minibatches number of epochs and of minibatches in each
         * @param learningRate learning rate of Adam
         * @param entropyBonus factor of the policy's entropy in the objective
         * @param maxGradientNorm longer gradients are scaled down to this norm; infinity disables it
         * @throws IllegalArgumentException if a number is out of its range
         */
        public Settings(Minibatches minibatches, double learningRate, double entropyBonus, double maxGradientNorm) {
            this(minibatches, learningRate, new LearningRateSchedule.Constant(), entropyBonus, maxGradientNorm);
        }
    }

    /**
     * Creates the ascent of a policy.
     *
     * @param policy the live policy; {@link #improve} changes its parameters
     * @param surrogate the objective per sample
     * @param settings how to ascend
     * @param seed keys the order of the samples
     * @param workers compute gradients
     */
    public SurrogateAscent(Policy policy, Surrogate surrogate, Settings settings, long seed, Workers workers) {
        this.policy = policy;
        this.surrogate = surrogate;
        this.settings = settings;
        this.seed = seed;
        int parameterCount = policy.parameters().length;
        this.adam = new Adam(parameterCount, settings.learningRate);
        this.gradient = new float[parameterCount];
        this.gradients = new ChunkedGradient<>(workers, parameterCount, () -> policy.batch(ChunkedGradient.CHUNK_ROWS));
    }

    @Override
    public Adam optimizer() {
        return adam;
    }

    @Override
    public PolicyStep improve(AdvantageBatch batch, int iteration) {
        Minibatches minibatches = settings.minibatches;
        double[] norm = new double[1];
        double ofRate = settings.schedule.factor(iteration);
        minibatches.forEach(
                batch.size(),
                epoch -> RandomStream.of(seed, Purpose.POLICY_SHUFFLE, iteration, epoch),
                (epoch, order, from, to) -> {
                    gradient(batch, order, from, to, gradient);
                    double scale = (double) batch.size() / (to - from);
                    double length = addEntropy(gradient, scale);
                    multiply(gradient, factor(length, scale));
                    adam.descend(policy.parameters(), gradient, ofRate);
                    if (epoch == minibatches.epochs() - 1) {
                        norm[0] += length * (to - from);
                    }
                });
        double samples = Math.max(1, batch.size());
        double[] sums = measure(batch);
        return new PolicyStep(
                sums[OBJECTIVE],
                -sums[LOG_RATIO] / samples,
                sums[CLIPPED] / samples,
                norm[0] / samples,
                policy.freeEntropy() + sums[ENTROPY] / samples);
    }

    /**
     * Adds the gradient of the entropy's part that is the same in every state to that of a minibatch's sum. The minibatch has a
     * {@code scale}-th part of the samples.
     * Returns the norm of the estimate of ∇J, which is {@code scale} times {@code sum}.
     */
    double addEntropy(float[] sum, double scale) {
        policy.addFreeEntropyGradient((float) (settings.entropyBonus / scale), sum);
        return scale * Math.sqrt(loops.squaredNorm(sum));
    }

    /** Returns the factor that turns the sum into −∇J, limited to the largest norm. */
    float factor(double norm, double scale) {
        return (float) -(norm > settings.maxGradientNorm ? scale * settings.maxGradientNorm / norm : scale);
    }

    private static void multiply(float[] vector, float factor) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] *= factor;
        }
    }

    /**
     * Sets {@code into} to the gradient of Σ (surrogate + entropyBonus H(s) / M) over the samples {@code order[from … to)}, where
     * H(s) is the entropy's part that depends on the state.
     */
    void gradient(AdvantageBatch batch, int[] order, int from, int to, float[] into) {
        double entropyFactor = settings.entropyBonus / Math.max(1, batch.size());
        gradients.sum(
                order,
                from,
                to,
                0,
                (rows, indices, start, end, part, none) -> {
                    evaluate(batch, indices, start, end, rows);
                    for (int r = 0; r < end - start; r++) {
                        int sample = indices[start + r];
                        double logRatio = rows.logProbs()[r] - batch.oldLogProbs()[sample];
                        rows.factors()[r] = surrogate.slope(logRatio, batch.coefficients()[sample]);
                    }
                    policy.addScores(rows, end - start, entropyFactor, part);
                },
                into);
    }

    /** Returns the sums of the surrogate, the log-ratios, the clipped samples and the entropies H(s) over the whole batch. */
    double[] measure(AdvantageBatch batch) {
        return gradients.statistics(batch.size(), STATISTICS, (rows, order, from, to, sums) -> {
            evaluate(batch, order, from, to, rows);
            for (int r = 0; r < to - from; r++) {
                int sample = order[from + r];
                double logRatio = rows.logProbs()[r] - batch.oldLogProbs()[sample];
                double coefficient = batch.coefficients()[sample];
                sums[OBJECTIVE] += surrogate.value(logRatio, coefficient);
                sums[LOG_RATIO] += logRatio;
                sums[CLIPPED] += surrogate.clipped(logRatio, coefficient) ? 1 : 0;
                sums[ENTROPY] += policy.entropy(rows, r);
            }
        });
    }

    /** Computes the log-probabilities of the samples {@code order[from … to)} under the current policy. */
    private void evaluate(AdvantageBatch batch, int[] order, int from, int to, Policy.Batch rows) {
        int states = policy.observationSize();
        int actions = policy.actionSize();
        int count = to - from;
        for (int r = 0; r < count; r++) {
            int sample = order[from + r];
            System.arraycopy(batch.observations(), sample * states, rows.observations(), r * states, states);
            System.arraycopy(batch.actions(), sample * actions, rows.actions(), r * actions, actions);
        }
        policy.evaluate(rows, count);
    }
}
