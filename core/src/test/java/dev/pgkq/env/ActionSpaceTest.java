package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ActionSpaceTest {
    @Test
    void aBoxMapsTheUnitRangeToItsBoundsAndClips() {
        ActionSpace box = new ActionSpace.Box(new float[] {-2, 0}, new float[] {2, 10});
        float[] action = new float[2];
        box.decode(new float[] {9, 0.5f, 0}, 1, action);
        assertThat(action).containsExactly(1, 5);
        box.decode(new float[] {-3, 7}, 0, action);
        assertThat(action).containsExactly(-2, 10);
        assertThat(box.size()).isEqualTo(2);
        assertThat(box.encodedSize()).isEqualTo(2);
    }

    @Test
    void everyDiscreteActionComesBackFromItsEncoding() {
        ActionSpace.Discrete parts = new ActionSpace.Discrete(3, 2);
        float[] encoded = new float[7];
        float[] action = new float[2];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 2; j++) {
                parts.encode(new float[] {9, i, j}, 1, encoded, 1);
                float[] expected = new float[7];
                expected[1 + i] = 1;
                expected[4 + j] = 1;
                assertThat(encoded).isEqualTo(expected);
                parts.decode(encoded, 1, action);
                assertThat(action).containsExactly(i, j);
            }
        }
        assertThat(parts.size()).isEqualTo(2);
        assertThat(parts.encodedSize()).isEqualTo(5);
    }

    @Test
    void numbersThatAreNoCategoryAreRejected() {
        ActionSpace.Discrete four = new ActionSpace.Discrete(4);
        for (float wrong : new float[] {-1, 4, 0.5f, Float.NaN}) {
            assertThatThrownBy(() -> four.encode(new float[] {wrong}, 0, new float[4], 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("action 0 is " + wrong + ", not a whole number from 0 to 3");
        }
    }

    @Test
    void impossibleSpacesAreRejected() {
        assertThatThrownBy(() -> new ActionSpace.Discrete(3, 1))
                .hasMessage("action 1 needs at least two categories, got 1");
        assertThatThrownBy(ActionSpace.Discrete::new).hasMessage("an environment needs at least one action");
        assertThatThrownBy(() -> new ActionSpace.Box(new float[] {1}, new float[] {1}))
                .hasMessageContaining("finite bounds with low < high");
        assertThatThrownBy(() -> new ActionSpace.Box(new float[] {1}, new float[] {2, 3}))
                .hasMessageContaining("1 entries");
    }

    @Test
    void spacesAreEqualByTheirContents() {
        assertThat(new ActionSpace.Discrete(3, 2))
                .isEqualTo(new ActionSpace.Discrete(3, 2))
                .isNotEqualTo(new ActionSpace.Discrete(2, 3));
        assertThat(new ActionSpace.Box(new float[] {0}, new float[] {1}))
                .isEqualTo(new ActionSpace.Box(new float[] {0}, new float[] {1}))
                .isNotEqualTo(new ActionSpace.Box(new float[] {0}, new float[] {2}))
                .isNotEqualTo(new ActionSpace.Discrete(2));
    }
}
