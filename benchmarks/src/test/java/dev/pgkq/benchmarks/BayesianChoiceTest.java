package dev.pgkq.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.bayes.NormalEquations;
import dev.pgkq.bayes.Posterior;
import dev.pgkq.bayes.RandomFeatures;
import dev.pgkq.benchmarks.BayesianChoice.Rule;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.select.Belief;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BayesianChoiceTest {
    private static final double DISCOUNT = 0.9;
    private static final int DRAWS = 20_000;
    private static final int[] STARTS = {0, 3, 8};

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void variancesAreThoseOfReturnsDrawnFromTheBelief(boolean observesSteps) {
        RandomStream random = RandomStream.of(1, Purpose.SELECTION);
        float[] observations = new float[STARTS[2]];
        for (int i = 0; i < observations.length; i++) {
            observations[i] = (float) random.nextGaussian();
        }
        Steps steps = Steps.logged(STARTS, observations, new float[0]);
        float[] features;
        BatchFeatures batch;
        try (Workers workers = new Workers(1)) {
            RandomFeatures three = new RandomFeatures(1, 0, 1, 1, workers);
            three.fix(observations);
            features = three.of(STARTS, observations);
            batch = new BatchFeatures(three, 1);
            batch.turnTo(STARTS, observations);
        }
        Known belief = new Known(observesSteps, posterior(random), new double[] {0.3, -0.2, 0.5}, batch);
        StepCredits credits = new StepCredits(
                StepFactors.ones(), Credit.Target.REWARDS, new Credit(AdvantageForm.E1, DISCOUNT, false));
        double[] variances = new BayesianChoice(Rule.VARIANCE, belief, credits, false, 1, 1).variances(steps, batch);

        for (int e = 0; e < 2; e++) {
            double squares = 0;
            for (int draw = 0; draw < DRAWS; draw++) {
                double sum = drawn(belief, features, e, random);
                squares += sum * sum;
            }
            // a mean of squares of Gaussians has the relative error √(2/draws): four of them
            assertThat(variances[e]).isCloseTo(squares / DRAWS, within(0.04 * variances[e]));
        }
    }

    /** The return of an episode, less its expectation, in units of σ. */
    private static double drawn(Known belief, float[] features, int e, RandomStream random) {
        double[] w = new double[3];
        for (int j = 0; j < 3; j++) {
            double coordinate =
                    random.nextGaussian() / Math.sqrt(belief.posterior.eigenvalues()[j] + belief.posterior.ridge());
            for (int i = 0; i < 3; i++) {
                w[i] += coordinate * belief.posterior.vectors()[j][i];
            }
        }
        double constant = 0;
        for (int i = 0; i < 3; i++) {
            constant -= belief.centre[i] * w[i];
        }
        double sum = belief.observesSteps ? 0 : constant + random.nextGaussian();
        double g = 1;
        for (int t = STARTS[e]; t < STARTS[e + 1]; t++) {
            double reward = belief.observesSteps ? constant + random.nextGaussian() : 0;
            for (int i = 0; i < 3; i++) {
                reward += w[i] * features[3 * t + i];
            }
            sum += g * reward;
            g *= DISCOUNT;
        }
        return sum;
    }

    private static Posterior posterior(RandomStream random) {
        float[] rows = new float[3 * 6];
        double[] values = new double[6];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (float) random.nextGaussian();
        }
        for (int i = 0; i < values.length; i++) {
            values[i] = random.nextGaussian();
        }
        try (Workers workers = new Workers(1)) {
            return Posterior.of(NormalEquations.of(3, rows, values, workers));
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Known(boolean observesSteps, Posterior posterior, double[] centre, BatchFeatures batch)
            implements Belief {
        @Override
        public BatchFeatures features(Steps steps) {
            return batch;
        }

        @Override
        public double[] expected(Steps steps) {
            return new double[steps.size()];
        }

        @Override
        public double noise() {
            return 1;
        }

        @Override
        public double inflation() {
            return 1;
        }
    }
}
