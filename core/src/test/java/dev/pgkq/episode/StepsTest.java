package dev.pgkq.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.parallel.Workers;
import java.util.Arrays;
import java.util.List;
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

    private static Episode ended(int index, Ending ending, float... finalObservation) {
        float[] step = {index};
        return new Episode(1, index, 1, step, step, step, new double[2], finalObservation, ending);
    }

    @Test
    void truncatedEpisodesKeepTheirFinalObservationsWhenStepsAreJoined() {
        List<Episode> first = List.of(ended(0, Ending.TERMINATED), ended(1, Ending.TRUNCATED, 10));
        List<Episode> none = List.of(ended(2, Ending.DIVERGED));
        List<Episode> last = List.of(ended(3, Ending.TRUNCATED, 30), ended(4, Ending.TRUNCATED, 40));

        Steps.Cuts cuts = Steps.joined(List.of(Steps.of(first), Steps.of(none), Steps.of(last)))
                .cuts();

        assertThat(cuts.episodes()).containsExactly(1, 3, 4);
        assertThat(cuts.observations()).containsExactly(10, 30, 40);
        assertThat(cuts.observation(3)).containsExactly(30);
        assertThat(cuts.observation(0)).isEmpty();
    }

    @Test
    void withoutOneFinalObservationNoneIsKnown() {
        Steps known = Steps.of(List.of(ended(0, Ending.TRUNCATED, 10)));
        Steps unknown = Steps.of(List.of(ended(1, Ending.TRUNCATED)));

        Steps.Cuts cuts = Steps.joined(List.of(known, unknown)).cuts();

        assertThat(cuts.episodes()).containsExactly(0, 1);
        assertThat(cuts.observations()).isEmpty();
    }

    /** Two steps and the end of the task, one step and a time limit with a known observation, one with an unknown one. */
    @Test
    void transitionsSayWhereAStepLedAndWhetherTheEpisodeEndedThere() {
        float[] observations = {1, 10, 4, 30, 5, 50};
        float[] actions = {7, 8, 9};
        int[] starts = {0, 2, 2, 3};
        assertThat(new Steps(starts, observations, actions, NONE).transitions())
                .containsExactly(1, 10, 7, 3, 20, 0, 4, 30, 8, 0, 0, 1, 5, 50, 9, 0, 0, 1);
        Steps.Cuts known = new Steps.Cuts(new int[] {2}, new float[] {6, 52});
        assertThat(Arrays.copyOfRange(new Steps(starts, observations, actions, NONE, known).transitions(), 12, 18))
                .containsExactly(5, 50, 9, 1, 2, 0);
        Steps.Cuts unknown = new Steps.Cuts(new int[] {2}, NONE);
        assertThat(Arrays.copyOfRange(new Steps(starts, observations, actions, NONE, unknown).transitions(), 12, 18))
                .containsExactly(5, 50, 9, 0, 0, 0);
        assertThat(new Steps(new int[] {0}, NONE, NONE, NONE).transitions()).isEmpty();
    }
}
