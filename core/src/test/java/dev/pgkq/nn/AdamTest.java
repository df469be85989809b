package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.state.Snapshot;
import org.junit.jupiter.api.Test;

class AdamTest {
    /** At a half of the rate, a step is half as long. */
    @Test
    void theLearningRateCanBeScaled() {
        float[] whole = {1, 2};
        float[] half = {1, 2};
        float[] gradient = {0.3f, -0.7f};
        new Adam(2, 0.01).descend(whole, gradient);
        new Adam(2, 0.01).descend(half, gradient, 0.5);
        for (int i = 0; i < 2; i++) {
            assertThat((double) half[i] - (1 + i)).isCloseTo(0.5 * (whole[i] - (1 + i)), offset(1e-6));
        }
    }

    @Test
    void followsTheFormulaOfThePaper() {
        int steps = 50;
        float[] parameters = {1f, -2f, 0.5f};
        double[] theta = {1, -2, 0.5};
        double[] m = new double[3];
        double[] v = new double[3];
        Adam adam = new Adam(3, 0.01);
        for (int t = 1; t <= steps; t++) {
            float[] gradient = new float[3];
            for (int i = 0; i < 3; i++) {
                gradient[i] = (float) ((i + 1) * Math.sin(t + i) + (i == 2 ? 1e-4 : 0));
                double g = gradient[i];
                m[i] = 0.9 * m[i] + 0.1 * g;
                v[i] = 0.999 * v[i] + 0.001 * g * g;
                double mHat = m[i] / (1 - Math.pow(0.9, t));
                double vHat = v[i] / (1 - Math.pow(0.999, t));
                theta[i] -= 0.01 * mHat / (Math.sqrt(vHat) + 1e-8);
            }
            adam.descend(parameters, gradient);
        }
        for (int i = 0; i < 3; i++) {
            assertThat((double) parameters[i]).isCloseTo(theta[i], offset(1e-5));
        }
        Snapshot.Builder saved = new Snapshot.Builder();
        adam.save("adam", ParameterLayout.ofLayers(2, 1), saved);
        assertThat(saved.build().counter("adam/steps")).isEqualTo(steps);
    }

    @Test
    void theFirstStepHasTheLengthOfTheLearningRateWhateverTheGradient() {
        float[] parameters = {0f, 0f};
        new Adam(2, 3e-4).descend(parameters, new float[] {1e-3f, -1e5f});
        assertThat(parameters[0]).isCloseTo(-3e-4f, offset(1e-8f));
        assertThat(parameters[1]).isCloseTo(3e-4f, offset(1e-8f));
    }
}
