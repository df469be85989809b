package dev.pgkq.benchmarks;

import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.Reweighted;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * wce² of every rule at N = 64, n = 8 as a multiple of the best known value on the same points: with the rule's own weights and
 * with the optimal weights on the simplex, as medians over sets of points. The ratio is the gain by the optimal weights. There
 * are no targets.
 */
final class QuadratureErrors {
    private static final int SIZE = 64;
    private static final int POINTS = 8;
    private static final int SETS = 25;
    private static final int RESTARTS = 64;

    private static final double MEDIAN = 0.5;

    private QuadratureErrors() {}

    /** A kernel with a distribution of sets of points. */
    record Kernel(String name, Function<RandomStream, GramMatrix> draw) {}

    static final List<Kernel> KERNELS = List.of(
            gaussian(2, 0),
            gaussian(5, 0),
            gaussian(17, 0),
            gaussian(5, 1),
            sobolev(1, 1),
            sobolev(2, 1),
            sobolev(3, 3));

    private static Kernel gaussian(int dimension, double noise) {
        return new Kernel(
                "Gaussian d=" + dimension + (noise > 0 ? " with δ noise " + (int) noise : ""),
                random -> PointCloud.gaussian(SIZE, dimension, 2 * dimension, noise, random));
    }

    private static Kernel sobolev(int dimension, int smoothness) {
        return new Kernel(
                "Sobolev d=" + dimension + " s=" + smoothness,
                random -> PointCloud.sobolev(SIZE, new Sobolev(dimension, smoothness), random));
    }

    static List<Row> rows(Benchmark.Effort effort) {
        List<Row> rows = new ArrayList<>();
        for (Kernel kernel : KERNELS) {
            rows.addAll(rows(kernel, effort.rounds(SETS), effort.rounds(RESTARTS)));
        }
        return rows;
    }

    static List<Row> rows(Kernel kernel, int sets, int restarts) {
        List<Row> rows = new ArrayList<>();
        double[] best = errors(kernel, new LocalSearch(restarts), sets);
        for (QuadratureRules.Named named : QuadratureRules.RULES) {
            double own = median(ratios(errors(kernel, named.rule(), sets), best));
            double simplex = median(ratios(errors(kernel, new Reweighted(named.rule()), sets), best));
            rows.add(Row.forReference(
                    "wce² 64 → 8 over best known, " + kernel.name + ", " + named.name(),
                    times(own) + " own weights",
                    times(simplex) + " simplex weights",
                    own / simplex));
        }
        return rows;
    }

    private static double[] errors(Kernel kernel, QuadratureRule rule, int sets) {
        double[] errors = new double[sets];
        for (int set = 0; set < sets; set++) {
            GramMatrix gram = kernel.draw.apply(RandomStream.of(set, Purpose.CHECK, 1));
            errors[set] = gram.squaredError(rule.choose(gram, POINTS, RandomStream.of(set, Purpose.CHECK, 2)));
        }
        return errors;
    }

    private static double[] ratios(double[] errors, double[] best) {
        double[] ratios = new double[errors.length];
        for (int i = 0; i < errors.length; i++) {
            ratios[i] = errors[i] / best[i];
        }
        return ratios;
    }

    private static double median(double[] values) {
        return Rounds.quantile(values, MEDIAN);
    }

    private static String times(double ratio) {
        return String.format(Locale.ROOT, "%.2f×", ratio);
    }
}
