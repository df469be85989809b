package dev.pgkq.nn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.state.Snapshot;
import org.junit.jupiter.api.Test;

class ParameterLayoutTest {
    /** Two inputs, three outputs, then one output; W_1 is 2 × 3 in the flat array. */
    private static final float[] FLAT = {11, 12, 13, 21, 22, 23, 1, 2, 3, 4, 5, 6, 7, 8, 9};

    private static final ParameterLayout LAYOUT = new Mlp(2, 3, 1).layout().and("extra", 2);

    private static Snapshot saved() {
        Snapshot.Builder builder = new Snapshot.Builder();
        LAYOUT.save("net", FLAT, builder);
        return builder.build();
    }

    @Test
    void weightsAreOutputsTimesInputs() {
        Snapshot saved = saved();
        assertThat(saved.tensors())
                .containsOnlyKeys(
                        "net/layer0/weight", "net/layer0/bias", "net/layer1/weight", "net/layer1/bias", "net/extra");
        assertThat(saved.values("net/layer0/weight", 3, 2)).containsExactly(11, 21, 12, 22, 13, 23);
        assertThat(saved.values("net/layer0/bias", 3)).containsExactly(1, 2, 3);
        assertThat(saved.values("net/layer1/weight", 1, 3)).containsExactly(4, 5, 6);
        assertThat(saved.values("net/layer1/bias", 1)).containsExactly(7);
        assertThat(saved.values("net/extra", 2)).containsExactly(8, 9);
    }

    @Test
    void whatWasSavedComesBack() {
        float[] restored = new float[FLAT.length];
        LAYOUT.restore("net", saved(), restored);
        assertThat(restored).isEqualTo(FLAT);
    }

    @Test
    void otherSizesAreRefused() {
        assertThatThrownBy(() -> LAYOUT.save("net", new float[14], new Snapshot.Builder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("15 parameters, the array 14");
        assertThatThrownBy(() -> new Mlp(3, 2, 1).layout().restore("net", saved(), new float[11]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'net/layer0/weight' has the saved shape [3, 2], not [2, 3]");
    }
}
