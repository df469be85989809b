package example;

import dev.pgkq.advise.Adviser;
import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.advise.Choice;
import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.advise.Told;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;
import java.util.List;

/** Scores a few of the items of each round and estimates the rewards of all of them. */
final class Advise {
    private static final int ITEMS = 64;
    private static final int WIDTH = 4;

    private Advise() {}

    public static void main(String[] args) {
        try (Workers workers = new Workers(2)) {
            Adviser adviser = new Adviser(AdviserSettings.of(WIDTH), workers);
            for (int round = 1; round <= 5; round++) {
                float[] features = features(round);
                Choice choice = adviser.ask(Items.points(WIDTH, features));
                List<Told> scores = Arrays.stream(choice.indices())
                        .mapToObj(item -> new Told(item, score(features, item)))
                        .toList();
                Estimates rewards = adviser.tell(choice, scores);
                System.out.printf(
                        "round %d: %d of %d scored, error %.3f, expected %.3f%n",
                        round, scores.size(), ITEMS, error(rewards.mean(), features), choice.expectedError());
            }
        }
    }

    /** A stand-in for descriptions of items, such as embeddings of texts. */
    private static float[] features(int round) {
        RandomStream random = RandomStream.of(7, Purpose.RESET, round);
        float[] features = new float[ITEMS * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        return features;
    }

    /** A stand-in for an expensive judge. */
    private static double score(float[] features, int item) {
        return 2 * features[item * WIDTH] + Math.sin(features[item * WIDTH + 1]);
    }

    private static double error(double[] estimated, float[] features) {
        double sum = 0;
        for (int i = 0; i < ITEMS; i++) {
            double error = estimated[i] - score(features, i);
            sum += error * error;
        }
        return Math.sqrt(sum / ITEMS);
    }
}
