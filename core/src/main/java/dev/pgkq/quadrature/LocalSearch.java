package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * The best rule that a local search finds. With restarts it is a reference for the other rules; without, it takes a few
 * milliseconds to choose 8 of 64. Its cost grows like N n⁴, so without restarts it leaves problems with N n above
 * {@link #MOST} to {@link Pursuit}.
 *
 * <p>The value of a subset is the wce² of its best weights on the simplex. Finding the best subset of n points would
 * need all of them to be tried; a local search comes close. It starts from a greedy subset, which adds the best point
 * each time, from that of {@link Herding} and from random ones. Then it replaces one chosen point after another by the
 * best one for its place, until no exchange is an improvement. It is therefore never worse than herding with the best
 * weights.
 *
 * @param restarts searches that start from a random subset
 */
public record LocalSearch(int restarts) implements QuadratureRule {
    /** The largest N n that is searched without restarts. */
    public static final long MOST = 1024;

    /** Smaller relative improvements are rounding errors, and exchanges for them might never end. */
    private static final double BETTER = 1e-9;

    /**
     * Checks the number of restarts.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public LocalSearch {
        if (restarts < 0) {
            throw new IllegalArgumentException("the number of restarts must not be negative, but is " + restarts);
        }
    }

    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        if ((long) gram.size() * points > MOST && restarts == 0) {
            return new Pursuit().chooseFew(gram, points, random);
        }
        WeightedPoints best = improved(gram, greedy(gram, points));
        best = better(
                gram,
                best,
                improved(gram, new Herding().chooseFew(gram, points, random).indices()));
        for (int i = 0; i < restarts; i++) {
            int[] start = new RandomSubset().chooseFew(gram, points, random).indices();
            best = better(gram, best, improved(gram, start));
        }
        return best;
    }

    private static WeightedPoints better(GramMatrix gram, WeightedPoints a, WeightedPoints b) {
        return gram.squaredError(b) < gram.squaredError(a) ? b : a;
    }

    private static int[] greedy(GramMatrix gram, int points) {
        int[] chosen = new int[0];
        while (chosen.length < points) {
            int[] longer = Arrays.copyOf(chosen, chosen.length + 1);
            longer[chosen.length] = -1;
            exchange(gram, longer, chosen.length, Double.POSITIVE_INFINITY);
            chosen = longer;
        }
        return chosen;
    }

    private static WeightedPoints improved(GramMatrix gram, int[] start) {
        int[] chosen = start.clone();
        double value = SimplexWeights.leastSquaredError(gram, chosen);
        int unchanged = 0;
        for (int place = 0; unchanged < chosen.length; place = (place + 1) % chosen.length) {
            double exchanged = exchange(gram, chosen, place, value);
            unchanged = exchanged < value ? 0 : unchanged + 1;
            value = exchanged;
        }
        return SimplexWeights.optimize(gram, WeightedPoints.equal(chosen));
    }

    /** Puts the best point into the place if that improves the value; returns the new value. */
    private static double exchange(GramMatrix gram, int[] chosen, int place, double value) {
        boolean[] taken = new boolean[gram.size()];
        for (int i = 0; i < chosen.length; i++) {
            if (i != place) {
                taken[chosen[i]] = true;
            }
        }
        int best = chosen[place];
        double least = value;
        for (int candidate = 0; candidate < gram.size(); candidate++) {
            if (!taken[candidate]) {
                chosen[place] = candidate;
                double tried = SimplexWeights.leastSquaredError(gram, chosen);
                if (tried < (1 - BETTER) * least) {
                    least = tried;
                    best = candidate;
                }
            }
        }
        chosen[place] = best;
        return least;
    }
}
