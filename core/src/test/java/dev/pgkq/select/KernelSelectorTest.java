package dev.pgkq.select;

import static dev.pgkq.select.DrawnValues.LENGTHS;
import static dev.pgkq.select.DrawnValues.STATES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.policy.ScoreProjection;
import dev.pgkq.quadrature.Herding;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KernelSelectorTest {
    private static final double DISCOUNT = 0.9;

    private final Workers workers = new Workers(2);
    private final Policy policy = Policy.gaussian(STATES, 1, 1);
    private final DeepKernel kernel = new DeepKernel(
            STATES + 1,
            new DeepKernel.Settings(0.4, -1, 1, 8, 1, 1e-3),
            RandomStream.of(1, Purpose.KERNEL_INIT),
            workers);
    private final List<Episode> batch = DrawnValues.episodes(0);

    @AfterEach
    void close() {
        workers.close();
    }

    private KernelSelector selector(StepFactors factors, Credit.Target target, AdvantageForm form, boolean noise) {
        StepCredits credits = new StepCredits(factors, target, new Credit(form, DISCOUNT, true));
        return new KernelSelector(
                new EpisodicKernel(kernel, credits, false, new ExactGram(), noise), new Herding(), 2, 1);
    }

    /** The quadruple sum with the paper's coefficients. */
    @ParameterizedTest
    @EnumSource(Credit.Target.class)
    void theKernelOfEpisodesIsItsDefinition(Credit.Target target) {
        Steps all = Steps.of(batch);
        double[][] k = DrawnValues.covariance(kernel, all, 0);

        for (AdvantageForm form : AdvantageForm.values()) {
            KernelView view =
                    selector(StepFactors.ones(), target, form, false).kernel().view(Steps.of(batch), workers);
            double largest = 0;
            for (int i = 0; i < LENGTHS.length; i++) {
                largest = Math.max(largest, view.gram().at(i, i));
            }
            for (int i = 0; i < LENGTHS.length; i++) {
                for (int j = 0; j < LENGTHS.length; j++) {
                    double sum = 0;
                    for (int t = 0; t < LENGTHS[i]; t++) {
                        for (int u = 0; u < LENGTHS[j]; u++) {
                            sum += coefficient(target, form, t, LENGTHS[i])
                                    * coefficient(target, form, u, LENGTHS[j])
                                    * k[all.start(i) + t][all.start(j) + u];
                        }
                    }
                    assertThat(view.gram().at(i, j)).isCloseTo(sum, offset(1e-5 * largest));
                }
            }
        }
    }

    /** A kernel of sums is learned in units of the mean sum of its coefficients. */
    private static double unit(Credit.Target target) {
        double mean = 0;
        for (int length : LENGTHS) {
            mean += (1 - Math.pow(DISCOUNT, length)) / (1 - DISCOUNT) / LENGTHS.length;
        }
        return target == Credit.Target.SUMS ? mean * mean : 1;
    }

    private static double coefficient(Credit.Target target, AdvantageForm form, int t, int length) {
        double power = Math.pow(DISCOUNT, t);
        boolean last = t == length - 1;
        return switch (target) {
            case RETURNS -> form == AdvantageForm.E2 && last ? -t * power : power;
            case REWARDS -> form == AdvantageForm.E2 && last ? 0 : (1 + t) * power;
            // bootstrapping from the last step cancels a reward that comes with it
            case SUMS -> form == AdvantageForm.E2 ? 0 : length * power;
        };
    }

    @ParameterizedTest
    @EnumSource(Credit.Target.class)
    void theNoiseIsOnTheDiagonalOnlyAndExact(Credit.Target target) {
        KernelView with = selector(StepFactors.ones(), target, AdvantageForm.E1, true)
                .kernel()
                .view(Steps.of(batch), workers);
        KernelView without = selector(StepFactors.ones(), target, AdvantageForm.E1, false)
                .kernel()
                .view(Steps.of(batch), workers);
        for (int i = 0; i < LENGTHS.length; i++) {
            // Σ_u γ^u r_u of a whole episode has noise once, with the coefficient of r_0
            int count = target == Credit.Target.SUMS ? Math.min(1, LENGTHS[i]) : LENGTHS[i];
            double squares = 0;
            for (int t = 0; t < count; t++) {
                squares += Math.pow(coefficient(target, AdvantageForm.E1, t, LENGTHS[i]), 2);
            }
            assertThat(with.noise()[i]).isCloseTo(squares, offset(1e-5 * (1 + squares)));
            for (int j = 0; j < LENGTHS.length; j++) {
                double noise = i == j ? (1e-5 + Math.exp(kernel.noise())) * squares * unit(target) : 0;
                assertThat(with.gram().at(i, j) - without.gram().at(i, j)).isCloseTo(noise, offset(1e-5 * (1 + noise)));
            }
        }
    }

    /** Credits that cancel and a kernel that is nearly constant leave rounding only, which may be below 0. */
    @Test
    void whatCancelsIsNoReasonToStop() {
        DeepKernel flat = new DeepKernel(
                STATES + 1,
                new DeepKernel.Settings(0, -2, 1e-6, 8, 1, 1e-3),
                RandomStream.of(1, Purpose.KERNEL_INIT),
                workers);
        StepCredits credits =
                new StepCredits(StepFactors.ones(), Credit.Target.RETURNS, new Credit(AdvantageForm.E2, 1, true));
        KernelSelector selector = new KernelSelector(
                new EpisodicKernel(flat, credits, false, new ExactGram(), false), new Herding(), 2, 1);
        KernelView view = selector.kernel().view(Steps.of(batch), workers);
        for (int i = 0; i < LENGTHS.length; i++) {
            assertThat(view.gram().at(i, i)).isGreaterThanOrEqualTo(0);
        }
        assertThat(selector.choose(Batches.of(batch, workers), 1).points().size())
                .isEqualTo(2);
    }

    /**
     * Rewards drawn from the process, gradients made of them by their definition: the mean squared error of a weighted
     * gradient is wce² of the score-aware kernel, within four standard errors.
     */
    @ParameterizedTest
    @EnumSource(Credit.Target.class)
    @Tag("unmutated")
    void wceOfTheScoreKernelIsTheExpectedSquaredErrorOfTheGradient(Credit.Target target) {
        for (AdvantageForm form : AdvantageForm.values()) {
            compareWithDraws(target, form, false);
        }
    }

    /** The same with the noise that the likelihood assumes: on every value, or once on Σ_u γ^u r_u. */
    @ParameterizedTest
    @EnumSource(Credit.Target.class)
    @Tag("unmutated")
    void wceWithNoiseIsTheExpectedSquaredErrorOfTheGradientOfNoisyValues(Credit.Target target) {
        compareWithDraws(target, AdvantageForm.E1, true);
    }

    private void compareWithDraws(Credit.Target target, AdvantageForm form, boolean noise) {
        StepFactors scores = StepFactors.scores(new ScoreProjection(policy, 0, 1, workers));
        Steps all = Steps.of(batch);
        float[] score = scores.of(all);
        int size = scores.dimensions();
        DrawnValues process = new DrawnValues(kernel, all);
        WeightedPoints rule = new WeightedPoints(new int[] {0, 3, 4}, new double[] {0.2, 0.5, 0.3});
        double[] signed = new double[LENGTHS.length];
        Arrays.fill(signed, -1.0 / LENGTHS.length);
        for (int a = 0; a < rule.size(); a++) {
            signed[rule.indices()[a]] += rule.weights()[a];
        }

        KernelView view = selector(scores, target, form, noise).kernel().view(Steps.of(batch), workers);
        double deviationOfNoise = noise ? Math.sqrt((1e-5 + Math.exp(kernel.noise())) * unit(target)) : 0;
        RandomStream random = RandomStream.of(7, Purpose.CHECK);
        int draws = 1500;
        double sum = 0;
        double squares = 0;
        for (int draw = 0; draw < draws; draw++) {
            double[] values = process.draw(random);
            for (int e = 0; e < LENGTHS.length && noise; e++) {
                int count = target == Credit.Target.SUMS ? Math.min(1, LENGTHS[e]) : LENGTHS[e];
                for (int t = 0; t < count; t++) {
                    values[all.start(e) + t] += deviationOfNoise * random.nextGaussian();
                }
            }
            double error = squaredError(target, form, all, values, signed, score, size);
            sum += error;
            squares += error * error;
        }
        double mean = sum / draws;
        double deviation = Math.sqrt((squares / draws - mean * mean) / draws);
        assertThat(view.gram().squaredError(rule)).isCloseTo(mean, offset(4 * deviation + 1e-6));
    }

    /**
     * ‖Σ_e signed_e Σ_t γ^t Â_t ∇ log π_t‖², advantages from the values as returns above the baseline, as rewards, or as
     * rewards of which the sum stands in for the return of every step.
     */
    private static double squaredError(
            Credit.Target target,
            AdvantageForm form,
            Steps all,
            double[] values,
            double[] signed,
            float[] score,
            int size) {
        double[] gradient = new double[size];
        for (int e = 0; e < signed.length; e++) {
            double[] returns = Arrays.copyOfRange(values, all.start(e), all.start(e + 1));
            for (int t = returns.length - 2; t >= 0 && target != Credit.Target.RETURNS; t--) {
                returns[t] += DISCOUNT * returns[t + 1];
            }
            for (int t = 1; t < returns.length && target == Credit.Target.SUMS; t++) {
                returns[t] = returns[t - 1] / DISCOUNT;
            }
            double[] advantages = form.advantages(returns, new double[returns.length], DISCOUNT);
            for (int t = 0; t < advantages.length; t++) {
                double factor = signed[e] * Math.pow(DISCOUNT, t) * advantages[t];
                for (int i = 0; i < size && factor != 0; i++) {
                    gradient[i] += factor * score[(all.start(e) + t) * size + i];
                }
            }
        }
        return Arrays.stream(gradient).map(g -> g * g).sum();
    }
}
