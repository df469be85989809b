package dev.pgkq.quadrature;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Carathéodory's theorem as an algorithm: weights on many points become weights on at most p + 1 of them, with the same
 * total and the same integrals of p functions.
 *
 * <p>Moving along a direction v with Σ v_i f_j(i) = 0 for all functions and Σ v_i = 0 changes no integral. Moving along
 * −v until the first weight is 0 removes a point. Such a direction exists as long as there are more than p + 1 points.
 * Many points are first dealt into 2 (p + 1) groups, and whole groups are removed by their barycentres [1]: each round
 * halves the number of points.
 *
 * <p>[1] M. Tchernychova: Carathéodory cubature measures. PhD thesis, Oxford 2015.
 */
final class Caratheodory {
    /** Weights below this share of their sum, and entries below this share of the largest, are rounding errors of 0. */
    private static final double NOTHING = 1e-15;

    /** A function is independent of others if at least this share of its norm is orthogonal to them. */
    private static final double INDEPENDENT = 1e-12;

    /** The same for a unit vector, times √size; see {@link #nullSpace}. */
    private static final double INDEPENDENT_UNIT = 1e-3;

    private Caratheodory() {}

    /**
     * Reduces the weights in place.
     *
     * @param functions their values at all points, one function a row
     * @param weights ≥ 0
     */
    static void reduce(double[][] functions, double[] weights) {
        int kept = functions.length + 1;
        int[] support = support(weights);
        while (support.length > kept) {
            int groups = Math.min(support.length, 2 * kept);
            double[] masses = new double[groups];
            double[][] barycentres = new double[functions.length][groups];
            for (int s = 0; s < support.length; s++) {
                masses[s % groups] += weights[support[s]];
                for (int f = 0; f < functions.length; f++) {
                    barycentres[f][s % groups] += weights[support[s]] * functions[f][support[s]];
                }
            }
            for (int f = 0; f < functions.length; f++) {
                for (int g = 0; g < groups; g++) {
                    barycentres[f][g] /= masses[g];
                }
            }
            double[] reduced = masses.clone();
            eliminate(barycentres, reduced, kept);
            for (int s = 0; s < support.length; s++) {
                int group = s % groups;
                weights[support[s]] *= reduced[group] / masses[group];
            }
            int before = support.length;
            support = support(weights);
            if (support.length == before) {
                return;
            }
        }
    }

    /**
     * Removes one more point than {@link #reduce} would: along the direction that keeps all functions, turned so that
     * the integral of {@code objective} does not grow.
     */
    static void reduceDownhill(double[][] functions, double[] objective, double[] weights) {
        int kept = functions.length + 1;
        int[] support = support(weights);
        while (support.length > kept) {
            double[] direction =
                    nullSpace(restricted(functions, support), support.length).getFirst();
            double slope = 0;
            for (int s = 0; s < support.length; s++) {
                slope += direction[s] * objective[support[s]];
            }
            if (slope < 0) {
                negate(direction);
            }
            double[] local = Arrays.stream(support).mapToDouble(i -> weights[i]).toArray();
            step(local, direction);
            for (int s = 0; s < support.length; s++) {
                weights[support[s]] = local[s];
            }
            support = support(weights);
        }
    }

    private static int[] support(double[] weights) {
        return IntStream.range(0, weights.length).filter(i -> weights[i] > 0).toArray();
    }

    private static double[][] restricted(double[][] functions, int[] support) {
        double[][] values = new double[functions.length][];
        for (int f = 0; f < functions.length; f++) {
            double[] function = functions[f];
            values[f] = Arrays.stream(support).mapToDouble(i -> function[i]).toArray();
        }
        return values;
    }

    /** Takes points away one by one until no more than {@code kept} have weight. */
    private static void eliminate(double[][] functions, double[] weights, int kept) {
        List<double[]> directions = nullSpace(functions, weights.length);
        int left = weights.length;
        while (left > kept && !directions.isEmpty()) {
            double[] direction = directions.removeLast();
            int gone = step(weights, direction);
            left--;
            // The others must not bring the point back.
            for (double[] other : directions) {
                double share = other[gone] / direction[gone];
                for (int i = 0; i < other.length; i++) {
                    other[i] -= share * direction[i];
                }
                other[gone] = 0;
            }
        }
    }

    /** Moves along −v until a weight is 0; returns its index. */
    private static int step(double[] weights, double[] direction) {
        int gone = blocking(weights, direction);
        if (gone < 0) {
            negate(direction);
            gone = blocking(weights, direction);
        }
        double length = weights[gone] / direction[gone];
        double total = 0;
        for (double weight : weights) {
            total += weight;
        }
        for (int i = 0; i < weights.length; i++) {
            weights[i] -= length * direction[i];
            if (weights[i] < NOTHING * total) {
                weights[i] = 0;
            }
        }
        weights[gone] = 0;
        return gone;
    }

    /** The point with a positive direction whose weight reaches 0 first; −1 where there is none. */
    private static int blocking(double[] weights, double[] direction) {
        double largest = 0;
        for (double value : direction) {
            largest = Math.max(largest, Math.abs(value));
        }
        int first = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int i = 0; i < weights.length; i++) {
            if (direction[i] > NOTHING * largest && weights[i] / direction[i] < least) {
                least = weights[i] / direction[i];
                first = i;
            }
        }
        return first;
    }

    private static void negate(double[] vector) {
        for (int i = 0; i < vector.length; i++) {
            vector[i] = -vector[i];
        }
    }

    /**
     * An orthonormal basis of {v : Σ_i v_i f_j(i) = 0 for all j, Σ_i v_i = 0}, by Gram–Schmidt on the constant, the
     * functions and the unit vectors. Each vector is orthogonalised twice for accuracy.
     */
    private static List<double[]> nullSpace(double[][] functions, int size) {
        List<double[]> basis = new ArrayList<>();
        double[] ones = new double[size];
        Arrays.fill(ones, 1);
        addOrthonormal(basis, ones, INDEPENDENT);
        for (double[] function : functions) {
            addOrthonormal(basis, function.clone(), INDEPENDENT);
        }
        int constraints = basis.size();
        // While r directions are missing, the squared remainders of all unit vectors sum to r, so one of them has a
        // remainder of at least 1/√size. The remainder of a skipped vector never grows: at the end nothing is missing.
        for (int i = 0; i < size && basis.size() < size; i++) {
            double[] unit = new double[size];
            unit[i] = 1;
            addOrthonormal(basis, unit, INDEPENDENT_UNIT / Math.sqrt(size));
        }
        return new ArrayList<>(basis.subList(constraints, basis.size()));
    }

    private static void addOrthonormal(List<double[]> basis, double[] vector, double independent) {
        double before = norm(vector);
        if (before == 0) {
            return;
        }
        for (int pass = 0; pass < 2; pass++) {
            for (double[] other : basis) {
                double inner = 0;
                for (int i = 0; i < vector.length; i++) {
                    inner += vector[i] * other[i];
                }
                for (int i = 0; i < vector.length; i++) {
                    vector[i] -= inner * other[i];
                }
            }
        }
        double after = norm(vector);
        if (after > independent * before) {
            for (int i = 0; i < vector.length; i++) {
                vector[i] /= after;
            }
            basis.add(vector);
        }
    }

    private static double norm(double[] vector) {
        double squares = 0;
        for (double value : vector) {
            squares += value * value;
        }
        return Math.sqrt(squares);
    }
}
