package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/** Points drawn without replacement, all with the same weight: the control that others have to beat. */
public record RandomSubset() implements QuadratureRule {
    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        return draw(gram.size(), points, random);
    }

    /** {@code points} of {@code size}, or all where there are no more. */
    public static WeightedPoints draw(int size, int points, RandomStream random) {
        int[] order = new int[size];
        Arrays.setAll(order, i -> i);
        random.shuffle(order);
        int[] chosen = Arrays.copyOf(order, Math.min(points, size));
        Arrays.sort(chosen);
        return WeightedPoints.equal(chosen);
    }
}
