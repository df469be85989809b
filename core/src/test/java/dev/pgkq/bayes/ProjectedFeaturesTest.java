package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.linalg.Cholesky;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProjectedFeaturesTest {
    private static final int COUNT = 20;
    private static final int ROWS = 12;
    private static final long SEED = 1;

    /** The first component is far from 0 and in another unit, the last one is constant. */
    private static float[] steps(int rows, int inputs, long seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        float[] steps = new float[rows * inputs];
        for (int i = 0; i < steps.length; i++) {
            double value = random.nextGaussian();
            steps[i] = (float) (i % inputs == 0 ? 100 + 10 * value : i % inputs == inputs - 1 ? 7 : value);
        }
        return steps;
    }

    private static ProjectedFeatures fixed(int inputs, int count, float[] steps) {
        ProjectedFeatures features = new ProjectedFeatures(inputs, count, SEED);
        features.fix(steps);
        return features;
    }

    private static float[] of(StepFeatures features, float[] steps, int from, int rows) {
        float[] values = new float[rows * features.size()];
        features.compute(steps, from, rows, values);
        return values;
    }

    /** φ(z)ᵀ φ(z') of all pairs, without the constant. */
    private static double[][] products(StepFeatures features, float[] steps, int rows) {
        float[] values = of(features, steps, 0, rows);
        int size = features.size();
        double[][] products = new double[rows][rows];
        for (int a = 0; a < rows; a++) {
            for (int b = 0; b < rows; b++) {
                for (int j = 0; j < size - 1; j++) {
                    products[a][b] += (double) values[a * size + j] * values[b * size + j];
                }
            }
        }
        return products;
    }

    private static double[][] standardised(float[] steps, int rows, int inputs) {
        double[][] result = new double[rows][inputs];
        for (int k = 0; k < inputs; k++) {
            int column = k;
            double[] values = IntStream.range(0, rows)
                    .mapToDouble(r -> steps[r * inputs + column])
                    .toArray();
            double mean = Arrays.stream(values).average().orElseThrow();
            double deviation = Math.sqrt(Arrays.stream(values)
                    .map(value -> (value - mean) * (value - mean))
                    .average()
                    .orElseThrow());
            for (int r = 0; r < rows; r++) {
                result[r][k] = deviation > 0 ? (values[r] - mean) / deviation : 0;
            }
        }
        return result;
    }

    /** E max(0, s) max(0, t) for s and t normal with mean 0: the integral over the direction of a in the plane of u and u'. */
    private static double kernel(double[] z, double[] other) {
        double square = 1;
        double otherSquare = 1;
        double inner = 1;
        for (int k = 0; k < z.length; k++) {
            square += z[k] * z[k] / z.length;
            otherSquare += other[k] * other[k] / z.length;
            inner += z[k] * other[k] / z.length;
        }
        double norms = Math.sqrt(square * otherSquare);
        double angle = Math.acos(Math.clamp(inner / norms, -1, 1));
        int parts = 10_000;
        double sum = 0;
        for (int i = 0; i < parts; i++) {
            double direction = 2 * Math.PI * (i + 0.5) / parts;
            sum += Math.max(0, Math.cos(direction)) * Math.max(0, Math.cos(direction - angle)) / parts;
        }
        // E r² = 2 for the length r of a in a plane
        return 2 * norms * sum;
    }

    /** Half of them combine the rows of the first batch. */
    private static double[][] points(double[][] rows, int inputs) {
        double[][] points = new double[COUNT][inputs];
        RandomStream ofBatch = RandomStream.of(SEED, Purpose.REWARD_FEATURES, 1);
        RandomStream others = RandomStream.of(SEED, Purpose.REWARD_FEATURES);
        for (int j = 0; j < COUNT; j++) {
            if (j >= COUNT / 2) {
                Arrays.setAll(points[j], k -> others.nextGaussian());
                continue;
            }
            for (double[] row : rows) {
                double weight = ofBatch.nextGaussian() / Math.sqrt(rows.length);
                for (int k = 0; k < inputs; k++) {
                    points[j][k] += weight * row[k];
                }
            }
        }
        return points;
    }

    /** k(z)ᵀ (K + 10⁻⁶ I)⁻¹ k(z'), times m, with the same points from the same stream. */
    @ParameterizedTest
    @ValueSource(ints = {2, 5, 60})
    void productsAreThoseOfTheDenseFormula(int inputs) {
        float[] steps = steps(ROWS, inputs, 2);
        double[][] rows = standardised(steps, ROWS, inputs);
        double[][] points = points(rows, inputs);
        double[] square = new double[COUNT * COUNT];
        for (int i = 0; i < COUNT; i++) {
            for (int j = 0; j <= i; j++) {
                // the lower half is enough
                square[i * COUNT + j] = kernel(points[i], points[j]) + (i == j ? 1e-6 : 0);
            }
        }
        Cholesky cholesky = Cholesky.of(square, COUNT).orElseThrow();
        double[][] products = products(fixed(inputs, COUNT, steps), steps, ROWS);
        for (int a = 0; a < ROWS; a++) {
            double[] weights = new double[COUNT];
            for (int j = 0; j < COUNT; j++) {
                weights[j] = kernel(rows[a], points[j]);
            }
            cholesky.solve(weights);
            for (int b = 0; b < ROWS; b++) {
                double expected = 0;
                for (int j = 0; j < COUNT; j++) {
                    expected += COUNT * weights[j] * kernel(rows[b], points[j]);
                }
                assertThat(products[a][b]).isCloseTo(expected, within(2e-3 * COUNT));
            }
        }
    }

    /** With as many features. In 130 dimensions, where these have no linear ones beside them, the errors of random ones are several times as large. */
    @Test
    void theyAreCloserToTheKernelThanRandomFeatures() {
        int inputs = 130;
        int count = 300;
        float[] steps = steps(ROWS, inputs, 2);
        double[][] rows = standardised(steps, ROWS, inputs);
        try (Workers workers = new Workers(1)) {
            RandomFeatures random = new RandomFeatures(inputs, 0, count, SEED, workers);
            random.fix(steps);
            double[][] ofRandom = products(random, steps, ROWS);
            double[][] projected = products(fixed(inputs, count, steps), steps, ROWS);
            double error = 0;
            double ofRandomError = 0;
            for (int a = 0; a < ROWS; a++) {
                for (int b = 0; b < ROWS; b++) {
                    double exact = kernel(rows[a], rows[b]);
                    error += Math.pow(projected[a][b] / count - exact, 2);
                    ofRandomError += Math.pow(ofRandom[a][b] / count - exact, 2);
                }
            }
            assertThat(error).isLessThan(ofRandomError / 4);
        }
    }

    /**
     * At the points themselves, φ is √m K (K + 10⁻⁶ I)^{−½}, a symmetric matrix. Any other root depends on the signs of eigenvectors, which
     * differ between libraries, so that restored sums would be those of other features.
     */
    @Test
    void theRootIsTheSymmetricOne() {
        int inputs = 5;
        float[] steps = steps(ROWS, inputs, 2);
        ProjectedFeatures features = fixed(inputs, COUNT, steps);
        double[][] points = points(standardised(steps, ROWS, inputs), inputs);
        float[] units = RandomFeatures.units(steps, inputs, 0);
        float[] atPoints = new float[COUNT * inputs];
        for (int j = 0; j < COUNT; j++) {
            for (int k = 0; k < inputs; k++) {
                atPoints[j * inputs + k] = (float) (units[k] + units[inputs + k] * points[j][k]);
            }
        }
        float[] values = of(features, atPoints, 0, COUNT);
        int size = features.size();
        for (int i = 0; i < COUNT; i++) {
            assertThat(values[i * size + i]).isPositive();
            for (int j = 0; j < i; j++) {
                assertThat(values[i * size + j]).isCloseTo(values[j * size + i], within(1e-2f));
            }
        }
    }

    @Test
    void theLastFeatureIsOne() {
        float[] steps = steps(ROWS, 3, 2);
        float[] values = of(fixed(3, COUNT, steps), steps, 0, ROWS);
        for (int r = 0; r < ROWS; r++) {
            assertThat(values[r * (COUNT + 1) + COUNT]).isEqualTo(1);
        }
    }

    @Test
    void rowsStartWhereTheyShould() {
        float[] steps = steps(ROWS, 3, 2);
        ProjectedFeatures features = fixed(3, COUNT, steps);
        float[] all = of(features, steps, 0, ROWS);
        float[] some = of(features, steps, 5, 2);
        for (int i = 0; i < some.length; i++) {
            assertThat(some[i]).isCloseTo(all[5 * features.size() + i], within(1e-3f));
        }
    }

    /** Of 2,000 rows, 512 are taken, from all parts. A component that the first 512 rows do not have is in the points, too. */
    @Test
    void allPartsOfALargeBatchCount() {
        int rows = 2000;
        float[] steps = new float[rows * 2];
        for (int r = 0; r < rows; r++) {
            steps[2 * r + (r < 1500 ? 0 : 1)] = r % 2 == 0 ? 1 : -1;
        }
        Snapshot.Builder builder = new Snapshot.Builder();
        fixed(2, COUNT, steps).save("name", builder);
        float[] points = builder.build().values("name/projected/points", COUNT);
        double[] squares = new double[2];
        for (int i = 0; i < points.length; i++) {
            squares[i % 2] += points[i] * points[i] / (points.length / 2.0);
        }
        // each has the mean square 1; that of 10 draws is within a factor of 5
        assertThat(squares[0]).isBetween(0.2, 5.0);
        assertThat(squares[1]).isBetween(0.2, 5.0);
    }

    @Test
    void restoredOnesHaveTheSameBits() {
        float[] steps = steps(ROWS, 3, 2);
        ProjectedFeatures features = fixed(3, COUNT, steps);
        Snapshot.Builder builder = new Snapshot.Builder();
        features.save("name", builder);
        ProjectedFeatures restored = new ProjectedFeatures(3, COUNT, SEED);
        assertThat(restored.isFixed()).isFalse();
        restored.restore("name", builder.build());
        assertThat(restored.isFixed()).isTrue();
        assertThat(of(restored, steps, 0, ROWS)).isEqualTo(of(features, steps, 0, ROWS));
    }

    @Test
    void theStateOfRandomFeaturesIsRefused() {
        try (Workers workers = new Workers(1)) {
            Snapshot.Builder builder = new Snapshot.Builder();
            new RandomFeatures(3, 0, COUNT, SEED, workers).save("name", builder);
            ProjectedFeatures features = new ProjectedFeatures(3, COUNT, SEED);
            Snapshot saved = builder.build();
            assertThatThrownBy(() -> features.restore("name", saved)).isInstanceOf(IllegalArgumentException.class);
        }
    }
}
