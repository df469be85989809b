package dev.pgkq.gp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

class SineCosineTest {
    private static float[] angles(int count, double spread) {
        RandomStream random = RandomStream.of(count, Purpose.CHECK);
        float[] turns = new float[count];
        for (int i = 0; i < count; i++) {
            turns[i] = (float) random.uniform(-spread, spread);
        }
        return turns;
    }

    @Test
    void cosinesAndSinesAreTrueToAMillionth() {
        for (double spread : new double[] {0.01, 1, 1000, SineCosine.MOST_TURNS}) {
            int count = 2000;
            float[] turns = angles(count, spread);
            float[] waves = new float[2 * count];
            new PlainSineCosine().of(turns, 1, count, waves);
            for (int i = 0; i < count; i++) {
                double angle = 2 * Math.PI * (turns[i] - Math.rint(turns[i]));
                assertThat(waves[i]).isCloseTo((float) Math.cos(angle), offset(1e-6f));
                assertThat(waves[count + i]).isCloseTo((float) Math.sin(angle), offset(1e-6f));
            }
        }
    }

    @Test
    void simdAgreesWithItsPlainTwinToTheLastBit() {
        for (int rows = 1; rows <= 3; rows++) {
            for (int count : new int[] {1, 3, 8, 15, 16, 17, 50}) {
                float[] turns = angles(rows * count, 7);
                float[] simd = new float[2 * turns.length];
                float[] plain = new float[2 * turns.length];
                new SimdSineCosine().of(turns, rows, count, simd);
                new PlainSineCosine().of(turns, rows, count, plain);
                assertThat(simd).isEqualTo(plain);
            }
        }
    }
}
