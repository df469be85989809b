package dev.pgkq.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestNamesTest {
    private static final List<String> TASKS =
            List.of("Hopper-v4", "HalfCheetah-v4", "Walker2d-v4", "InvertedDoublePendulum-v4", "Pendulum-v1");

    @Test
    void suggestsTheNearestFirst() {
        assertThat(NearestNames.hint("Hoper-v4", TASKS)).isEqualTo("; did you mean Hopper-v4?");
        assertThat(NearestNames.hint("hopper", TASKS)).isEqualTo("; did you mean Hopper-v4?");
        assertThat(NearestNames.hint("batchsize", List.of("batch", "seed"))).isEqualTo("; did you mean batch?");
        assertThat(NearestNames.hint("Walker-v4", TASKS)).startsWith("; did you mean Walker2d-v4");
    }

    @Test
    void listsAllWhenNothingIsNear() {
        assertThat(NearestNames.hint("Ant", TASKS)).startsWith("; there are Hopper-v4, ");
    }

    @Test
    void distanceCountsEdits() {
        assertThat(NearestNames.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(NearestNames.distance("", "abc")).isEqualTo(3);
        assertThat(NearestNames.distance("same", "same")).isZero();
    }
}
