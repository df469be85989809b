package dev.pgkq.example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import org.junit.jupiter.api.Test;

/** The example of {@code docs/algorithms.md}, as it stands there. */
class SelectTrajectoriesTest {
    @Test
    void eightOfSixtyFourTrajectories() {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        int[] starts = new int[65];
        for (int i = 0; i < 64; i++) {
            starts[i + 1] = starts[i] + 10 + i;
        }
        float[] observations = gaussian(3 * starts[64], random);
        float[] actions = gaussian(2 * starts[64], random);
        WeightedPoints picked;
        GramMatrix matrix;

        Steps steps = new Steps(starts, observations, actions, new float[0]);
        try (Workers workers = new Workers(4)) {
            GramMatrix kernel =
                    GaussianEpisodeKernel.standard(1).compare(steps, workers).gram();
            WeightedPoints chosen = Quadrature.SEARCH.rule().choose(kernel, 8, RandomStream.of(1, Purpose.SELECTION));
            picked = chosen;
            matrix = kernel;
        }

        assertThat(picked.size()).isBetween(1, 8);
        assertThat(matrix.squaredError(picked)).isLessThan(0.5 * matrix.expectedSquaredErrorOfRandom(8));
    }

    private static float[] gaussian(int count, RandomStream random) {
        float[] numbers = new float[count];
        for (int i = 0; i < count; i++) {
            numbers[i] = (float) random.nextGaussian();
        }
        return numbers;
    }
}
