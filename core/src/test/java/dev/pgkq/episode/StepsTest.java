package dev.pgkq.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.parallel.Workers;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final float[] NONE = {};

    @Test
    void loggedStepsHaveRows() {
        Steps steps = Steps.logged(new int[] {0, 2, 2, 3}, new float[6], new float[3]);
        assertThat(steps.size()).isEqualTo(3);
        assertThat(steps.episodes()).isEqualTo(3);
        assertThat(steps.stateActions()).hasSize(9);
        assertThatThrownBy(() -> Steps.logged(new int[] {0, 3}, new float[7], new float[3]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("observations", "3 steps", "7 values");
        assertThatThrownBy(() -> Steps.logged(new int[] {0}, NONE, new float[1]))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("actions");
    }

    @Test
    void startsAscendFromZero() {
        for (int[] starts : new int[][] {{}, {1, 2}, {0, 3, 2}}) {
            assertThatThrownBy(() -> new Steps(starts, NONE, NONE, NONE)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void noStepsCannotBeCompared() {
        try (Workers workers = new Workers(1)) {
            Steps none = Steps.logged(new int[] {0}, NONE, NONE);
            assertThatThrownBy(() -> GaussianEpisodeKernel.standard(1).compare(none, workers))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("no steps");
        }
    }
}
