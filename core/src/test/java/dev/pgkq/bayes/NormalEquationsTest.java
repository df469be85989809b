package dev.pgkq.bayes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
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
}
