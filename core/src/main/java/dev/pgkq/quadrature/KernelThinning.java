package dev.pgkq.quadrature;

import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Kernel thinning [1] that splits with the target kernel itself [2]. It halves the points repeatedly, each time with
 * random signs that keep both halves balanced in the kernel's space, takes the best part, and then exchanges its
 * points, one by one, for better ones.
 *
 * <p>Halving gives n = N/2^m points. For other n, n·2^m points with the largest possible m are drawn first; exchanges
 * consider all N. All points have the same weight.
 *
 * <ol>
 *   <li>R. Dwivedi, L. Mackey: Kernel thinning. COLT 2021.
 *   <li>R. Dwivedi, L. Mackey: Generalized kernel thinning. ICLR 2022.
 * </ol>
 */
public record KernelThinning() implements QuadratureRule {
    /** The probability that the sub-Gaussian bound of a whole halving fails, as in the papers. */
    private static final double FAILURE = 0.5;

    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        int[] order = new int[gram.size()];
        Arrays.setAll(order, i -> i);
        random.shuffle(order);
        int halvings = 31 - Integer.numberOfLeadingZeros(gram.size() / points);
        List<int[]> parts = new ArrayList<>(List.of(Arrays.copyOf(order, points << halvings)));
        for (int h = 0; h < halvings; h++) {
            List<int[]> halves = new ArrayList<>();
            for (int[] part : parts) {
                halves.addAll(halve(gram, part, random));
            }
            parts = halves;
        }
        int[] best = parts.getFirst();
        double least = Double.POSITIVE_INFINITY;
        for (int[] part : parts) {
            double error = gram.squaredError(WeightedPoints.equal(part));
            if (error < least) {
                least = error;
                best = part;
            }
        }
        return WeightedPoints.equal(swap(gram, best));
    }

    /**
     * Takes the points in pairs and puts one into each half. The choice is random, biased against the imbalance so far,
     * α = ⟨sum of the first half − sum of the second half, φ_x − φ_x'⟩.
     */
    private static List<int[]> halve(GramMatrix gram, int[] points, RandomStream random) {
        int pairs = points.length / 2;
        int[] first = new int[pairs];
        int[] second = new int[pairs];
        double variance = 0;
        double margin = 2 * Math.log(2 * 2 * pairs / FAILURE);
        for (int p = 0; p < pairs; p++) {
            int x = points[2 * p];
            int y = points[2 * p + 1];
            double square = Math.max(0, gram.at(x, x) + gram.at(y, y) - 2 * gram.at(x, y));
            double threshold = Math.max(Math.sqrt(square * variance * margin), square);
            double imbalance = 0;
            for (int s = 0; s < p; s++) {
                imbalance +=
                        gram.at(x, first[s]) - gram.at(y, first[s]) - gram.at(x, second[s]) + gram.at(y, second[s]);
            }
            double towards = threshold > 0 ? Math.clamp(0.5 * (1 - imbalance / threshold), 0, 1) : 0.5;
            boolean keep = random.nextDouble() < towards;
            first[p] = keep ? x : y;
            second[p] = keep ? y : x;
            if (threshold > 0) {
                variance += square * Math.max(0, 1 + (square - 2 * threshold) * variance / (threshold * threshold));
            }
        }
        return List.of(first, second);
    }

    /** Replaces each point in turn by the unused one that makes wce² smallest. */
    private static int[] swap(GramMatrix gram, int[] part) {
        int[] chosen = part.clone();
        boolean[] used = new boolean[gram.size()];
        double[] overlap = new double[gram.size()];
        for (int point : chosen) {
            used[point] = true;
            for (int i = 0; i < overlap.length; i++) {
                overlap[i] += gram.at(point, i);
            }
        }
        for (int place = 0; place < chosen.length; place++) {
            int old = chosen[place];
            used[old] = false;
            int best = old;
            double least = Double.POSITIVE_INFINITY;
            for (int i = 0; i < overlap.length; i++) {
                double cost = gram.at(i, i) + 2 * (overlap[i] - gram.at(old, i)) - 2 * chosen.length * gram.meanAt(i);
                if (!used[i] && (cost < least || (cost == least && i == old))) {
                    least = cost;
                    best = i;
                }
            }
            used[best] = true;
            chosen[place] = best;
            for (int i = 0; i < overlap.length; i++) {
                overlap[i] += gram.at(best, i) - gram.at(old, i);
            }
        }
        return chosen;
    }
}
