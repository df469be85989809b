package dev.pgkq.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.gp.ExactGram;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The example of {@code docs/algorithms.md}, as it stands there. */
class SelectTrajectoriesTest {
    @Test
    void eightOfSixtyFourTrajectories() {
        int features = 5;
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        int[] starts = new int[65];
        for (int i = 0; i < 64; i++) {
            starts[i + 1] = starts[i] + 10 + i;
        }
        float[] steps = new float[starts[64] * features];
        for (int i = 0; i < steps.length; i++) {
            steps[i] = (float) random.nextGaussian();
        }
        WeightedPoints picked;
        GramMatrix kernel;

        float[] importance = new float[steps.length / features];
        Arrays.fill(importance, 1f);
        EmbeddedEpisodes trajectories = new EmbeddedEpisodes(starts, features, steps, 1, importance);
        try (Workers workers = new Workers(4)) {
            kernel = GramMatrix.of(new ExactGram().of(trajectories, workers));
            WeightedPoints chosen = new LocalSearch(0).choose(kernel, 8, RandomStream.of(1, Purpose.SELECTION));
            picked = chosen;
        }

        assertThat(picked.size()).isBetween(1, 8);
        assertThat(kernel.squaredError(picked)).isLessThan(0.5 * kernel.expectedSquaredErrorOfRandom(8));
    }
}
