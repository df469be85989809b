package dev.pgkq.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EpisodicGram;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiscreteScoreKernelTest {
    private static final Task TASK = Tasks.named("CartPole-v1");
    private static final double DISCOUNT = 0.99;

    /**
     * K(e, e') = Σ_t Σ_u ⟨v_t, v'_u⟩ k(z_t, z'_u), where v is the sum of the scores up to the step, discounted, and z is the
     * observation followed by the one-hot action: pair by pair, with whole scores.
     */
    @Test
    void theScoreKernelIsTheSumOverPairsOfSteps() {
        Policy policy = Policy.initialize(TASK.spec(), 1);
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(TASK, 1, RolloutMode.TRAINING, workers)) {
            List<Episode> episodes = rollouts.sample(policy, 1, 3);
            Steps steps = Steps.of(episodes);
            DeepKernel kernel = new DeepKernel(
                    6,
                    new DeepKernel.Settings(0.4, -1, 1, 8, 1, 1e-3),
                    RandomStream.of(1, Purpose.KERNEL_INIT),
                    workers);
            EpisodicKernel episodic = new EpisodicKernel(
                    kernel,
                    new StepCredits(
                            StepFactors.scores(new ScoreProjection(policy, 0, 1, workers)),
                            Credit.Target.REWARDS,
                            new Credit(AdvantageForm.E1, DISCOUNT, false)),
                    false,
                    new ExactGram(),
                    false);
            KernelView view = episodic.view(steps, workers);
            double[] embedded = embedded(kernel, steps);
            double[][] products = products(policy, steps);
            double unit = Math.exp(0.4);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++) {
                    double expected = unit * sum(steps, products, embedded, i, j);
                    double scale = Math.sqrt(view.gram().at(i, i) * view.gram().at(j, j));
                    assertThat(view.gram().at(i, j)).isCloseTo(expected, offset(1e-4 * scale));
                }
            }
        }
    }

    private static double[] embedded(DeepKernel kernel, Steps steps) {
        float[] z = new float[steps.size() * 6];
        for (int t = 0; t < steps.size(); t++) {
            System.arraycopy(steps.observations(), t * 4, z, t * 6, 4);
            boolean right = steps.actions()[t * 2 + 1] == 1;
            z[t * 6 + (right ? 5 : 4)] = 1;
        }
        assertThat(steps.stateActions()).isEqualTo(z);
        float[] features = kernel.embed(steps.starts(), z);
        double[] copy = new double[features.length];
        for (int i = 0; i < copy.length; i++) {
            copy[i] = features[i];
        }
        return copy;
    }

    /** ⟨∇ log π, ∇ log π'⟩ of all pairs of steps. */
    private static double[][] products(Policy policy, Steps steps) {
        float[][] scores = new float[steps.size()][policy.parameters().length];
        Policy.Batch batch = policy.batch(1);
        for (int t = 0; t < steps.size(); t++) {
            System.arraycopy(steps.observations(), t * 4, batch.observations(), 0, 4);
            System.arraycopy(steps.actions(), t * 2, batch.actions(), 0, 2);
            batch.factors()[0] = 1;
            policy.evaluate(batch, 1);
            policy.addScores(batch, 1, scores[t]);
        }
        double[][] products = new double[scores.length][scores.length];
        for (int t = 0; t < scores.length; t++) {
            for (int u = 0; u < scores.length; u++) {
                for (int k = 0; k < scores[t].length; k++) {
                    products[t][u] += (double) scores[t][k] * scores[u][k];
                }
            }
        }
        return products;
    }

    /** A reward at step t changes the advantages of all steps s ≤ t, that of s by γ^{t−s}. */
    private static double sum(Steps steps, double[][] products, double[] embedded, int i, int j) {
        double sum = 0;
        for (int t = steps.start(i); t < steps.start(i + 1); t++) {
            for (int u = steps.start(j); u < steps.start(j + 1); u++) {
                double credit = 0;
                for (int s = steps.start(i); s <= t; s++) {
                    for (int r = steps.start(j); r <= u; r++) {
                        credit += Math.pow(DISCOUNT, t - s + u - r) * products[s][r];
                    }
                }
                double squared = 0;
                for (int k = 0; k < DeepKernel.FEATURES; k++) {
                    double difference = embedded[t * DeepKernel.FEATURES + k] - embedded[u * DeepKernel.FEATURES + k];
                    squared += difference * difference;
                }
                sum += credit * Math.exp(-squared / EpisodicGram.TWICE_SQUARED_LENGTH);
            }
        }
        return sum;
    }
}
