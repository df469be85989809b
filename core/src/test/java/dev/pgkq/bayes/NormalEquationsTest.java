package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.data.Percentage.withPercentage;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class NormalEquationsTest {
    private static final int FEATURES = 3;
    private static final int ROWS = 9000;

    private static NormalEquations sums(int threads) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        float[] rows = new float[ROWS * FEATURES];
        double[] values = new double[ROWS];
        for (int i = 0; i < ROWS; i++) {
            values[i] = random.nextGaussian();
            for (int j = 0; j < FEATURES; j++) {
                rows[i * FEATURES + j] = (float) (random.nextGaussian() + values[i]);
            }
        }
        try (Workers workers = new Workers(threads)) {
            return NormalEquations.of(FEATURES, rows, values, workers);
        }
    }

    @Test
    void sumsAreThoseOfLoops() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        double[][] products = new double[FEATURES][FEATURES];
        double[] moments = new double[FEATURES];
        double squares = 0;
        for (int i = 0; i < ROWS; i++) {
            double value = random.nextGaussian();
            float[] row = new float[FEATURES];
            for (int j = 0; j < FEATURES; j++) {
                row[j] = (float) (random.nextGaussian() + value);
            }
            for (int j = 0; j < FEATURES; j++) {
                moments[j] += row[j] * value;
                for (int k = 0; k < FEATURES; k++) {
                    products[j][k] += (double) row[j] * row[k];
                }
            }
            squares += value * value;
        }
        NormalEquations sums = sums(1);

        assertThat(sums.squares()).isCloseTo(squares, within(1e-9));
        assertThat(sums.rows()).isEqualTo(ROWS);
        double trace = 0;
        for (int j = 0; j < FEATURES; j++) {
            assertThat(sums.moments()[j]).isCloseTo(moments[j], within(1e-8));
            trace += products[j][j];
            for (int k = 0; k < FEATURES; k++) {
                assertThat(sums.products()[j * FEATURES + k]).isCloseTo(products[j][k], within(1e-8));
            }
        }
        assertThat(sums.meanSquare()).isCloseTo(trace / ROWS, within(1e-9));
    }

    @Test
    void bitsDoNotDependOnThreads() {
        assertThat(sums(3).products()).isEqualTo(sums(1).products());
        assertThat(sums(3).moments()).isEqualTo(sums(1).moments());
    }

    /** Rows whose last feature is 1 and whose first one is always 3. */
    private static NormalEquations withConstants(double[][] rows, double[] values) {
        float[] flat = new float[rows.length * 4];
        for (int i = 0; i < rows.length; i++) {
            flat[i * 4] = 3;
            flat[i * 4 + 1] = (float) rows[i][0];
            flat[i * 4 + 2] = (float) rows[i][1];
            flat[i * 4 + 3] = 1;
        }
        try (Workers workers = new Workers(1)) {
            return NormalEquations.of(4, flat, values, workers);
        }
    }

    @Test
    void centredSumsAreThoseOfCentredRows() {
        double[][] rows = {{1, 5}, {2, -1}, {4, 0.5}, {-3, 2}};
        double[] values = {10, 12, 9, 13};
        NormalEquations.Centred centred = withConstants(rows, values).centred();
        assertThat(centred.mean()).isEqualTo(11);
        assertThat(centred.centre()).containsExactly(0, 1, 1.625);
        NormalEquations sums = centred.sums();
        assertThat(sums.rows()).isEqualTo(3);
        double[][] products = new double[3][3];
        double[] moments = new double[3];
        double squares = 0;
        for (int i = 0; i < rows.length; i++) {
            double[] row = {3, rows[i][0] - 1, rows[i][1] - 1.625};
            double value = values[i] - 11;
            squares += value * value;
            for (int j = 0; j < 3; j++) {
                moments[j] += row[j] * value;
                for (int k = 0; k < 3; k++) {
                    products[j][k] += row[j] * row[k];
                }
            }
        }
        assertThat(sums.squares()).isCloseTo(squares, within(1e-12));
        for (int j = 0; j < 3; j++) {
            assertThat(sums.moments()[j]).isCloseTo(moments[j], within(1e-12));
            for (int k = 0; k < 3; k++) {
                assertThat(sums.products()[j * 3 + k]).isCloseTo(products[j][k], within(1e-12));
            }
        }
    }

    @Test
    void equalValuesLeaveNothing() {
        double[][] rows = {{1, 5}, {2, -1}, {4, 0.5}};
        NormalEquations sums =
                withConstants(rows, new double[] {0.1, 0.1, 0.1}).centred().sums();
        assertThat(sums.squares()).isZero();
        assertThat(Posterior.of(sums).isInformed()).isFalse();
    }

    @Test
    void aCheckpointHoldsRoundedSumsToTheLastBit() {
        NormalEquations sums = sums(1).rounded();
        Snapshot.Builder builder = new Snapshot.Builder();
        sums.save("sums", builder);
        NormalEquations restored = NormalEquations.restored(FEATURES, "sums", builder.build());
        assertThat(restored.products()).isEqualTo(sums.products());
        assertThat(restored.moments()).isEqualTo(sums.moments());
        assertThat(restored.squares()).isEqualTo(sums.squares());
        assertThat(restored.rows()).isEqualTo(ROWS);
        for (int i = 0; i < sums.products().length; i++) {
            assertThat(sums.products()[i]).isCloseTo(sums(1).products()[i], withPercentage(1e-12));
        }
    }

    @Test
    void sumsOfPartsAreThoseOfAll() {
        double[][] rows = {{1, 5}, {2, -1}, {4, 0.5}, {-3, 2}};
        double[] values = {10, 12, 9, 13};
        NormalEquations parts = withConstants(Arrays.copyOf(rows, 1), Arrays.copyOf(values, 1))
                .plus(withConstants(Arrays.copyOfRange(rows, 1, 4), Arrays.copyOfRange(values, 1, 4)));
        NormalEquations all = withConstants(rows, values);
        assertThat(parts.products()).isEqualTo(all.products());
        assertThat(parts.moments()).isEqualTo(all.moments());
        assertThat(parts.squares()).isEqualTo(all.squares());
        assertThat(parts.rows()).isEqualTo(4);
    }
}
