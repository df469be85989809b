package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CalibratedWeightsTest {
    private static final int SIZE = 16;
    /** Every episode has as many steps as dimensions, with multiples of unit vectors for credit. */
    private static final int DIMENSIONS = 4;

    private static final int[] PAID = {0, 3, 5, 8, 11, 14};

    private final GramMatrix gram = gram();
    private final KernelView view = new KernelView(gram, noise(), credits());
    private final PaidBatch paid = paid();
    private double[] surprise = {};

    private static GramMatrix gram() {
        RandomStream random = RandomStream.of(4, Purpose.CHECK);
        double[] x = new double[SIZE];
        for (int i = 0; i < SIZE; i++) {
            x[i] = 2 * random.nextGaussian();
        }
        double[] values = new double[SIZE * SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                values[i * SIZE + j] = Math.exp(-(x[i] - x[j]) * (x[i] - x[j]) / 8);
            }
        }
        return GramMatrix.of(values);
    }

    /** Episodes are told by what is seen in them. */
    private static StepCredits credits() {
        StepFactors factors = new StepFactors() {
            @Override
            public int dimensions() {
                return DIMENSIONS;
            }

            @Override
            public float[] of(Steps steps) {
                float[] credits = new float[steps.size() * DIMENSIONS];
                for (int row = 0; row < steps.size(); row++) {
                    credits[row * DIMENSIONS + row % DIMENSIONS] = size((int) steps.observations()[row]);
                }
                return credits;
            }
        };
        return new StepCredits(factors, Credit.Target.RETURNS, new Credit(AdvantageForm.E1, 1, false));
    }

    /** One reward in each of the directions. */
    private static double[] noise() {
        double[] noise = new double[SIZE];
        Arrays.setAll(noise, e -> DIMENSIONS * size(e) * size(e));
        return noise;
    }

    /** Some episodes weigh more than others; noise in their rewards does, too. */
    private static float size(int episode) {
        return 1 + episode % 3;
    }

    private PaidBatch paid() {
        List<Episode> batch = new ArrayList<>();
        for (int e = 0; e < SIZE; e++) {
            float[] observations = new float[DIMENSIONS];
            Arrays.fill(observations, e);
            batch.add(new Episode(
                    1,
                    e,
                    DIMENSIONS,
                    observations,
                    new float[DIMENSIONS],
                    new float[DIMENSIONS],
                    new double[DIMENSIONS + 1],
                    Ending.TERMINATED));
        }
        Selection selection = new Selection(WeightedPoints.equal(PAID), Optional.of(view));
        List<Rewards> rewards = Arrays.stream(PAID)
                .mapToObj(e -> new Rewards(new double[DIMENSIONS]))
                .toList();
        return new PaidBatch(Batches.of(batch), selection, rewards);
    }

    /** D of all episodes: each dimension from a process with covariance structure · K + noise · diag q. */
    private double[][] draw(double structure, double noise, RandomStream random) {
        double[][] root = new double[SIZE][SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j <= i; j++) {
                double sum = structure * gram.at(i, j) + (i == j ? noise * size(i) * size(i) + 1e-9 : 0);
                for (int k = 0; k < j; k++) {
                    sum -= root[i][k] * root[j][k];
                }
                root[i][j] = i == j ? Math.sqrt(sum) : sum / root[j][j];
            }
        }
        double[][] errors = new double[SIZE][DIMENSIONS];
        for (int d = 0; d < DIMENSIONS; d++) {
            double[] white = new double[SIZE];
            for (int i = 0; i < SIZE; i++) {
                white[i] = random.nextGaussian();
                for (int j = 0; j <= i; j++) {
                    errors[i][d] += root[i][j] * white[j];
                }
            }
        }
        return errors;
    }

    private static double[] missed(double[][] errors) {
        double[] missed = new double[PAID.length * DIMENSIONS];
        for (int a = 0; a < PAID.length; a++) {
            for (int d = 0; d < DIMENSIONS; d++) {
                missed[a * DIMENSIONS + d] = errors[PAID[a]][d] / size(PAID[a]);
            }
        }
        return missed;
    }

    private double[] of(CalibratedWeights weights, double[] missed) {
        surprise = missed;
        return weights.of(paid);
    }

    /** ‖Σ w_i D_i − mean of all D‖². */
    private static double squaredError(double[] weights, double[][] errors) {
        double sum = 0;
        for (int d = 0; d < DIMENSIONS; d++) {
            double difference = 0;
            for (int a = 0; a < PAID.length; a++) {
                difference += weights[a] * errors[PAID[a]][d];
            }
            for (double[] error : errors) {
                difference -= error[d] / SIZE;
            }
            sum += difference * difference;
        }
        return sum;
    }

    @Test
    void theSharesAreFoundAndTheWeightsAreBetterThanFullAndThanLeastCorrection() {
        for (double share : new double[] {1, 0.8, 0}) {
            CalibratedWeights weights = new CalibratedWeights(batch -> surprise);
            double ours = 0;
            double full = 0;
            double least = 0;
            double shares = 0;
            int warmUp = 60;
            int rounds = 600;
            for (int round = 0; round < warmUp + rounds; round++) {
                // the unit of the errors must not matter
                double unit = Math.pow(10, round % 5);
                double[][] errors = draw(unit * share, unit * (1 - share), RandomStream.of(9, Purpose.CHECK, round));
                double[] found = of(weights, missed(errors));
                if (round >= warmUp) {
                    shares += weights.share() / rounds;
                    ours += squaredError(found, errors) / unit;
                    full += squaredError(paid.points().weights(), errors) / unit;
                    double[] shrunk = new double[PAID.length];
                    Arrays.fill(shrunk, 1.0 / SIZE);
                    least += squaredError(shrunk, errors) / unit;
                }
            }
            // in units of the paid episodes: the trace of K against that of diag q
            double ofNoise =
                    Arrays.stream(PAID).mapToDouble(e -> size(e) * size(e)).sum();
            double expected = share * PAID.length / (share * PAID.length + (1 - share) * ofNoise);
            assertThat(shares).isCloseTo(expected, offset(0.1));
            assertThat(ours).isLessThan(1.15 * Math.min(full, least));
            if (share > 0) {
                assertThat(ours).isLessThan(0.9 * Math.min(full, least));
            }
        }
    }

    @Test
    void atFirstTheKernelIsBelieved() {
        CalibratedWeights weights = new CalibratedWeights(batch -> surprise);
        assertThat(weights.share()).isEqualTo(1);
        double[][] noise = draw(0, 1, RandomStream.of(2, Purpose.CHECK));
        of(weights, missed(noise));
        assertThat(weights.share()).isGreaterThan(0.8);
    }

    @Test
    void whatWasPooledSurvivesACheckpoint() {
        CalibratedWeights one = new CalibratedWeights(batch -> surprise);
        CalibratedWeights other = new CalibratedWeights(batch -> surprise);
        for (int round = 0; round < 5; round++) {
            of(one, missed(draw(0.2, 1, RandomStream.of(3, Purpose.CHECK, round))));
        }
        Snapshot.Builder builder = new Snapshot.Builder();
        one.save(builder);
        other.restore(builder.build());
        double[] next = missed(draw(0.2, 1, RandomStream.of(3, Purpose.CHECK, 5)));
        assertThat(of(other, next)).isEqualTo(of(one, next));
    }
}
