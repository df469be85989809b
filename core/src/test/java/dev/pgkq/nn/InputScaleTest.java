package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.state.Snapshot;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class InputScaleTest {
    private static final int SIZE = 3;
    private static final double[] SHIFTS = {1000, 0, -7};
    private static final double[] SPREADS = {200, 1e-4, 3};

    /** Rows whose columns have very different units. */
    private static float[] rows(int count, int seed) {
        RandomStream random = RandomStream.of(seed, Purpose.CHECK);
        float[] rows = new float[count * SIZE];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (float) (SHIFTS[i % SIZE] + SPREADS[i % SIZE] * random.nextGaussian());
        }
        return rows;
    }

    private static float[] joined(float[] a, float[] b) {
        float[] all = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, all, a.length, b.length);
        return all;
    }

    @Test
    void statisticsAreThoseOfAllRowsTogether() {
        float[] first = rows(50, 1);
        float[] second = rows(7, 2);
        InputScale scale = new InputScale(SIZE);
        scale.add(first);
        scale.add(new float[0]);
        scale.add(second);

        float[] all = joined(first, second);
        int count = all.length / SIZE;
        for (int k = 0; k < SIZE; k++) {
            double sum = 0;
            double squares = 0;
            for (int i = k; i < all.length; i += SIZE) {
                sum += all[i];
            }
            for (int i = k; i < all.length; i += SIZE) {
                squares += Math.pow(all[i] - sum / count, 2);
            }
            double deviation = Math.sqrt(squares / count);
            assertThat((double) scale.values()[k]).isCloseTo(sum / count, offset(1e-5 * deviation));
            assertThat((double) scale.values()[SIZE + k]).isCloseTo(deviation, offset(1e-5 * deviation));
        }
    }

    @Test
    void normalisedRowsAreInUnitsOfTheDeviationAndFurtherInputsStay() {
        InputScale scale = new InputScale(SIZE);
        scale.add(rows(1000, 1));
        float[] mean = Arrays.copyOf(scale.values(), SIZE);
        float[] input = {mean[0] + 300, mean[1], mean[2] - 6, 77};
        float[] normalised = new float[4];

        scale.apply(input, 1, 4, normalised);

        assertThat(normalised[0]).isCloseTo(300 / scale.values()[SIZE], offset(1e-5f));
        assertThat(normalised[1]).isZero();
        assertThat(normalised[2]).isCloseTo(-6 / scale.values()[SIZE + 2], offset(1e-5f));
        assertThat(normalised[3]).isEqualTo(77);
    }

    @Test
    void nothingIsNormalisedBeforeTheFirstRows() {
        float[] normalised = new float[SIZE];
        new InputScale(SIZE).apply(new float[] {1, -200, 3e6f}, 1, SIZE, normalised);
        assertThat(normalised).containsExactly(1, -200, 3e6f);
    }

    @Test
    void outliersAreClippedAndWhatNeverVariesIsZero() {
        InputScale scale = new InputScale(2);
        // 0.1 has no exact float: sums of it differ from multiples by rounding
        scale.add(new float[] {0, 0.1f, 2, 0.1f, 4, 0.1f});
        float[] normalised = new float[4];

        scale.apply(new float[] {1e6f, 0.1f, -1e6f, 5}, 2, 2, normalised);

        assertThat(normalised).containsExactly(10, 0, -10, 0);
    }

    @Test
    void aRestoredScaleGoesOnWithTheSameBits() {
        InputScale uninterrupted = new InputScale(SIZE);
        uninterrupted.add(rows(40, 1));
        Snapshot.Builder builder = new Snapshot.Builder();
        uninterrupted.save("policy/observation", builder);
        InputScale restored = new InputScale(SIZE);
        restored.restore("policy/observation", builder.build());
        assertThat(restored.values()).isEqualTo(uninterrupted.values());

        uninterrupted.add(rows(5, 2));
        restored.add(rows(5, 2));

        assertThat(restored.values()).isEqualTo(uninterrupted.values());
        InputScale follower = new InputScale(SIZE);
        follower.follow(restored.values());
        float[] expected = new float[SIZE];
        float[] computed = new float[SIZE];
        restored.apply(rows(1, 3), 1, SIZE, expected);
        follower.apply(rows(1, 3), 1, SIZE, computed);
        assertThat(computed).isEqualTo(expected);
    }

    @Test
    void aStateOfAnotherKindIsRefused() {
        Snapshot.Builder builder = new Snapshot.Builder();
        new InputScale(SIZE).save("net", builder);
        Snapshot normalised = builder.build();
        Snapshot plain = new Snapshot.Builder().build();
        assertThatThrownBy(() -> InputScale.NONE.restore("net", normalised))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the saved policy normalises observations");
        assertThatThrownBy(() -> new InputScale(SIZE).restore("net", plain))
                .hasMessage("the saved policy does not normalise observations");
        assertThatThrownBy(() -> new InputScale(2).restore("net", normalised)).hasMessageContaining("shape");
    }

    /** Both ways of evaluation, and twice: the inputs stay as they are. */
    @Test
    void aNetworkWithAScaleIsTheNetworkOfNormalisedInputs() {
        InputScale scale = new InputScale(SIZE);
        scale.add(rows(100, 1));
        float[] inputs = rows(9, 2);
        Mlp scaled = new Mlp(Activation.RELU, scale, SIZE, 5, 2);
        Mlp plain = new Mlp(SIZE, 5, 2);
        float[] parameters = new float[plain.parameterCount()];
        plain.initialize(parameters, RandomStream.of(1, Purpose.CHECK), 1);
        Mlp.Workspace ofScaled = scaled.new Workspace(9);
        Mlp.Workspace ofPlain = plain.new Workspace(9);
        System.arraycopy(inputs, 0, ofScaled.input(), 0, inputs.length);
        scale.apply(inputs, 9, SIZE, ofPlain.input());
        for (int time = 0; time < 2; time++) {
            scaled.forward(parameters, ofScaled, 9);
            plain.forward(parameters, ofPlain, 9);
            assertThat(ofScaled.output()).isEqualTo(ofPlain.output());
            scaled.forwardRowwise(parameters, ofScaled, 9);
            plain.forwardRowwise(parameters, ofPlain, 9);
            assertThat(ofScaled.output()).isEqualTo(ofPlain.output());
            assertThat(ofScaled.input()).isEqualTo(inputs);
        }
    }
}
