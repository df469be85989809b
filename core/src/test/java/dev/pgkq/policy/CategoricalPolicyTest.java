package dev.pgkq.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.nn.FiniteDifferences;
import dev.pgkq.nn.ReferenceNetwork;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CategoricalPolicyTest {
    private static final int STATES = 4;
    private static final int[] CATEGORIES = {3, 2, 4};
    private static final int SIZE = 9;
    private static final int ROWS = 6;

    private final Policy policy = trainedALittle();
    private final Policy.Batch batch = policy.batch(ROWS);

    CategoricalPolicyTest() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int i = 0; i < ROWS * STATES; i++) {
            batch.observations()[i] = (float) random.nextGaussian();
        }
        for (int r = 0; r < ROWS; r++) {
            int from = r * SIZE;
            for (int count : CATEGORIES) {
                batch.actions()[from + random.nextInt(count)] = 1;
                from += count;
            }
        }
    }

    private static Policy fresh(int... categories) {
        return Policy.initialize(new EnvironmentSpec(STATES, new ActionSpace.Discrete(categories), 1, 1), 3);
    }

    /** Away from the start values, so that probabilities are not all nearly equal. */
    private static Policy trainedALittle() {
        Policy policy = fresh(CATEGORIES);
        RandomStream random = RandomStream.of(2, Purpose.CHECK);
        for (int i = 0; i < policy.parameters().length; i++) {
            policy.parameters()[i] += (float) (0.05 * random.nextGaussian());
        }
        return policy;
    }

    /** The probabilities of all categories, straight from the definition of a softmax. */
    private static double[] probabilities(double[] theta, double[] state) {
        double[] p = ReferenceNetwork.forward(theta, state, STATES, 200, 100, SIZE);
        int from = 0;
        for (int count : CATEGORIES) {
            double sum = 0;
            for (int j = from; j < from + count; j++) {
                sum += Math.exp(p[j]);
            }
            for (int j = from; j < from + count; j++) {
                p[j] = Math.exp(p[j]) / sum;
            }
            from += count;
        }
        return p;
    }

    private double[] state(int row) {
        return ReferenceNetwork.row(batch.observations(), row, STATES);
    }

    private double logProb(double[] theta, int row) {
        double[] p = probabilities(theta, state(row));
        double product = 1;
        for (int j = 0; j < SIZE; j++) {
            product *= batch.actions()[row * SIZE + j] == 1 ? p[j] : 1;
        }
        return Math.log(product);
    }

    private double entropy(double[] theta, int row) {
        return Arrays.stream(probabilities(theta, state(row)))
                .map(p -> -p * Math.log(p))
                .sum();
    }

    @Test
    void startsWithNearlyEqualProbabilities() {
        Policy fresh = fresh(CATEGORIES);
        assertThat(fresh.actionSize()).isEqualTo(SIZE);
        fresh.evaluate(batch, ROWS);
        for (int r = 0; r < ROWS; r++) {
            assertThat(batch.logProbs()[r]).isCloseTo(-Math.log(3 * 2 * 4), offset(0.3));
            assertThat(fresh.entropy(batch, r) + fresh.freeEntropy()).isCloseTo(Math.log(3 * 2 * 4), offset(0.02));
        }
    }

    @Test
    void logProbabilityIsThatOfTheCategoriesTaken() {
        policy.evaluate(batch, ROWS);
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int r = 0; r < ROWS; r++) {
            double expected = logProb(theta, r);
            assertThat(batch.logProbs()[r]).isCloseTo(expected, offset(2e-5 * Math.abs(expected)));
            assertThat(policy.entropy(batch, r)).isCloseTo(entropy(theta, r), offset(1e-5));
        }
    }

    /** Logits far beyond the range of an exponential. */
    @Test
    void probabilitiesOfExtremeLogitsAreFinite() {
        int last = policy.parameters().length;
        policy.parameters()[last - 1] = 3000;
        policy.parameters()[last - 2] = -3000;
        policy.evaluate(batch, ROWS);
        assertThat(batch.outputs()[7]).isLessThan(-5000).isGreaterThan(-7000);
        assertThat(batch.outputs()[8]).isEqualTo(0f);
        assertThat(batch.logProbs()[0]).isFinite();
        assertThat(policy.entropy(batch, 0)).isFinite().isPositive();
    }

    @Test
    void weightedScoresAndEntropiesMatchFiniteDifferences() {
        for (int r = 0; r < ROWS; r++) {
            batch.factors()[r] = r - 2.5;
        }
        for (double entropyFactor : new double[] {0, 0.7}) {
            policy.evaluate(batch, ROWS);
            float[] gradient = new float[policy.parameters().length];
            policy.addScores(batch, ROWS, entropyFactor, gradient);
            FiniteDifferences.check(
                    gradient,
                    ReferenceNetwork.toDouble(policy.parameters()),
                    theta -> {
                        double sum = 0;
                        for (int r = 0; r < ROWS; r++) {
                            sum += batch.factors()[r] * logProb(theta, r) + entropyFactor * entropy(theta, r);
                        }
                        return sum;
                    },
                    200,
                    SIZE + 20);
        }
    }

    /** Pearson's χ² of 40,000 draws from all 24 actions: its mean is 23, its deviation √46; 5 deviations are allowed. */
    @Test
    void drawsFollowTheProbabilities() {
        int draws = 40_000;
        double[] counts = new double[3 * 2 * 4];
        RandomStream[] streams = {RandomStream.of(4, Purpose.CHECK)};
        float[] taken = new float[3];
        for (int d = 0; d < draws; d++) {
            policy.draw(batch, 1, streams);
            new ActionSpace.Discrete(CATEGORIES).decode(batch.actions(), 0, taken);
            counts[(int) (taken[0] * 8 + taken[1] * 4 + taken[2])]++;
        }
        double[] p = probabilities(ReferenceNetwork.toDouble(policy.parameters()), state(0));
        double statistic = 0;
        double least = 1;
        for (int i = 0; i < counts.length; i++) {
            double expected = draws * p[i / 8] * p[3 + i / 4 % 2] * p[5 + i % 4];
            statistic += (counts[i] - expected) * (counts[i] - expected) / expected;
            least = Math.min(least, expected / draws);
        }
        assertThat(least).as("the rarest action is expected often enough").isGreaterThan(1e-3);
        assertThat(statistic).isLessThan(23 + 5 * Math.sqrt(46)).isPositive();
    }

    @Test
    void forEvaluationTheMostProbableCategoriesAreTaken() {
        policy.act(batch, ROWS);
        double[] theta = ReferenceNetwork.toDouble(policy.parameters());
        for (int r = 0; r < ROWS; r++) {
            double[] p = probabilities(theta, state(r));
            double best = 1;
            int from = 0;
            for (int count : CATEGORIES) {
                best *= Arrays.stream(p, from, from + count).max().orElseThrow();
                from += count;
            }
            assertThat(batch.logProbs()[r]).isCloseTo(Math.log(best), offset(1e-4));
        }
    }

    @Test
    void whatARowDrawsDoesNotDependOnTheOtherRows() {
        policy.draw(batch, ROWS, streams(0));
        float[] together = batch.actions().clone();
        double[] logProbs = batch.logProbs().clone();
        Policy.Batch alone = policy.batch(1);
        for (int r = 0; r < ROWS; r++) {
            System.arraycopy(batch.observations(), r * STATES, alone.observations(), 0, STATES);
            policy.draw(alone, 1, streams(r));
            assertThat(alone.actions()).isEqualTo(Arrays.copyOfRange(together, r * SIZE, (r + 1) * SIZE));
            assertThat(alone.outputs()).isEqualTo(Arrays.copyOfRange(batch.outputs(), r * SIZE, (r + 1) * SIZE));
            assertThat(alone.logProbs()[0]).isEqualTo(logProbs[r]);
        }
    }

    private static RandomStream[] streams(int first) {
        RandomStream[] streams = new RandomStream[ROWS - first];
        Arrays.setAll(streams, i -> RandomStream.of(5, Purpose.CHECK, first + i));
        return streams;
    }

    @Test
    void aCheckpointNamesTheDistributionAndFitsNoOther() {
        Snapshot.Builder builder = new Snapshot.Builder();
        policy.save("policy", builder);
        Snapshot saved = builder.build();
        assertThat(saved.attributes()).containsEntry("policy/distribution", "categorical(3,2,4)");
        Policy restored = fresh(CATEGORIES);
        restored.restore("policy", saved);
        assertThat(restored.parameters()).isEqualTo(policy.parameters());
        // as many outputs, but other parts
        assertThatThrownBy(() -> fresh(3, 4, 2).restore("policy", saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("other actions", "categorical(3,2,4)", "categorical(3,4,2)");
        assertThatThrownBy(() -> Policy.gaussian(STATES, SIZE, 1).restore("policy", saved))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("categorical(3,2,4)", "gaussian");
    }

    @Test
    void aCheckpointOfAGaussianPolicyDoesNotFit() {
        Snapshot.Builder builder = new Snapshot.Builder();
        Policy.gaussian(STATES, SIZE, 1).save("policy", builder);
        assertThatThrownBy(() -> policy.restore("policy", builder.build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("gaussian", "categorical(3,2,4)");
    }
}
