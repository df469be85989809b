package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Items;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;

/** Items and their scores by number, the same in every process. */
public final class TestJudge {
    static final int WIDTH = 5;

    private TestJudge() {}

    /** The items of a batch, one step each. */
    static Items batch(int number, int size) {
        Random random = new Random(number);
        float[] features = new float[size * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        return Items.points(WIDTH, features);
    }

    /** Names of the items of a batch. */
    static List<String> names(int number, int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> "item-" + number + "-" + i)
                .toList();
    }

    /** A smooth function of the features with a little that is not. */
    static double score(Items items, int item) {
        double sum = 0;
        for (int i = items.starts()[item]; i < items.starts()[item + 1]; i++) {
            float[] x = items.features();
            int at = i * items.width();
            sum += Math.sin(x[at]) + 0.5 * x[at + 1] * x[at + 2] + 0.1 * Math.cos(20 * x[at + 3]);
        }
        return sum;
    }

    /** The scores of what an advice asks for and misses. */
    static Map<String, Score> scores(Items items, Advice advice) {
        Map<String, Score> scores = new LinkedHashMap<>();
        for (int i = 0; i < advice.indices().length; i++) {
            if (advice.missing().contains(advice.ids().get(i))) {
                scores.put(advice.ids().get(i), Score.of(score(items, advice.indices()[i])));
            }
        }
        return scores;
    }
}
