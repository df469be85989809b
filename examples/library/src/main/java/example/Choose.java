package example;

import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.GaussianEpisodeKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;

/** Chooses, among episodes that were logged elsewhere, those that should be scored, with weights. */
final class Choose {
    private static final int EPISODES = 200;
    private static final int CHOSEN = 8;
    private static final int LENGTH = 30;

    private Choose() {}

    public static void main(String[] args) {
        Steps logged = logged();
        try (Workers workers = new Workers(2)) {
            GramMatrix gram =
                    GaussianEpisodeKernel.standard(1).compare(logged, workers).gram();
            WeightedPoints chosen =
                    Quadrature.SEARCH.rule().choose(gram, CHOSEN, RandomStream.of(1, Purpose.SELECTION));
            for (int i = 0; i < chosen.size(); i++) {
                System.out.printf("episode %d, weight %.3f%n", chosen.indices()[i], chosen.weights()[i]);
            }
            System.out.printf(
                    "error of their weighted mean %.3f, of as many random episodes %.3f%n",
                    Math.sqrt(gram.squaredError(chosen)), Math.sqrt(gram.expectedSquaredErrorOfRandom(CHOSEN)));
        }
    }

    /** A stand-in for a log: noisy walks with one observation and one action per step. */
    private static Steps logged() {
        int[] starts = new int[EPISODES + 1];
        float[] observations = new float[EPISODES * LENGTH];
        float[] actions = new float[EPISODES * LENGTH];
        for (int i = 0; i < EPISODES; i++) {
            RandomStream random = RandomStream.of(7, Purpose.RESET, i);
            double x = random.nextGaussian();
            double drift = 0.2 * random.nextGaussian();
            for (int t = 0; t < LENGTH; t++) {
                double action = drift + 0.1 * random.nextGaussian();
                observations[i * LENGTH + t] = (float) x;
                actions[i * LENGTH + t] = (float) action;
                x += action;
            }
            starts[i + 1] = starts[i] + LENGTH;
        }
        return Steps.logged(starts, observations, actions);
    }
}
