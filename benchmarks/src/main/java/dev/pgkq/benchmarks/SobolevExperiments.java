package dev.pgkq.benchmarks;

import static dev.pgkq.linalg.Blas.Transpose.NO;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.KernelThinning;
import dev.pgkq.quadrature.Recombination;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * The periodic Sobolev experiments of the paper on recombination [1], compared with its published results: mean wce² over 20
 * trials. n² uniform points are recombined to n, with test functions from the n − 1 leading eigenvectors of a Nyström sample of
 * 10 n points, with the objective. "+opt" uses the best nonnegative weights of any sum on the same points.
 *
 * <p>The random points differ from the paper's, so figures are expected to match within a factor of 2.
 *
 * <p>[1] S. Hayakawa, H. Oberhauser, T. Lyons: Positively weighted kernel quadrature via subsampling. NeurIPS 2022; figures
 * from the result files of its public repository.
 */
final class SobolevExperiments implements Benchmark {
    private static final int TRIALS = 20;
    private static final int[] POINTS = {4, 8, 16, 32, 64};
    private static final double BAND = 2;

    /** One line of the published table: "mean±deviation", or a mean alone, for each number of points. */
    record Published(Sobolev kernel, Method method, List<String> figures) {}

    enum Method {
        RECOMBINATION("recombination"),
        RECOMBINATION_OPT("recombination+opt"),
        THINNING("thinning"),
        MONTE_CARLO("monte-carlo");

        final String label;

        Method(String label) {
            this.label = label;
        }

        static Method labelled(String label) {
            return Arrays.stream(values())
                    .filter(method -> method.label.equals(label))
                    .findFirst()
                    .orElseThrow();
        }
    }

    static final List<Published> TABLE =
            """
            1 1 recombination      4.89e-1±1.4e-1 1.27e-1±3.4e-2 3.13e-2±6.9e-3 7.55e-3±1.2e-3 2.22e-3±5.8e-4
            1 1 recombination+opt  2.57e-1±5.5e-2 6.77e-2±7.9e-3 1.80e-2±1.2e-3 4.38e-3±2.5e-4 1.12e-3±5.3e-5
            1 1 monte-carlo        7.88e-1        3.65e-1        2.14e-1        8.34e-2        6.72e-2
            1 3 recombination      1.09e-1±1.1e-1 2.99e-2±2.7e-2 7.39e-3±9.6e-3 1.35e-3±1.7e-3 4.21e-4±2.9e-4
            1 3 recombination+opt  8.78e-3±6.2e-3 1.25e-4±8.6e-5 1.73e-6±1.6e-6 1.93e-8±6.3e-9 4.72e-10±1.5e-10
            2 1 recombination      4.94±1.2       1.73±3.0e-1    7.03e-1±7.8e-2 2.40e-1±2.2e-2 7.90e-2±6.8e-3
            2 1 recombination+opt  7.77e-1±1.4e-2 5.74e-1±2.1e-2 3.43e-1±1.6e-2 1.51e-1±1.1e-2 5.64e-2±2.7e-3
            2 1 thinning           3.39±2.3e-1    1.29±1.4e-1    4.37e-1±2.0e-2 1.47e-1±5.3e-3 4.94e-2±2.5e-3
            3 3 recombination      8.59±2.7       3.26±8.3e-1    1.09±3.4e-1    6.44e-2±9.7e-3 1.55e-2±3.1e-3
            3 3 recombination+opt  8.49e-1±2.1e-2 6.97e-1±4.1e-2 3.58e-1±5.7e-2 3.37e-2±4.1e-3 4.56e-3±7.2e-4
            """.lines().map(SobolevExperiments::published).toList();

    /** Parses a line: d, s, the method and its figures. */
    private static Published published(String line) {
        List<String> cells = List.of(line.split(" +", -1));
        Sobolev kernel = new Sobolev(Integer.parseInt(cells.get(0)), Integer.parseInt(cells.get(1)));
        return new Published(kernel, Method.labelled(cells.get(2)), cells.subList(3, cells.size()));
    }

    @Override
    public String name() {
        return "sobolev";
    }

    @Override
    public String doing() {
        return "the periodic Sobolev experiments (a minute)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        for (Published published : TABLE) {
            System.err.println("  " + title(published) + "…");
            for (int i = 0; i < POINTS.length; i++) {
                double[] errors = new double[effort.rounds(TRIALS)];
                for (int trial = 0; trial < errors.length; trial++) {
                    errors[trial] = error(published.kernel, published.method, POINTS[i], trial);
                }
                rows.add(row(title(published) + ", n=" + POINTS[i], errors, published.figures.get(i)));
            }
        }
        return rows;
    }

    private static String title(Published published) {
        return "Sobolev d=" + published.kernel.dimension() + " s=" + published.kernel.smoothness() + ", "
                + published.method.label;
    }

    static Row row(String what, double[] errors, String published) {
        double mean = Arrays.stream(errors).average().orElse(Double.NaN);
        double ratio = mean / Double.parseDouble(published.replaceFirst("±.*", ""));
        return new Row(
                what,
                figure(2, mean) + "±" + figure(1, deviation(errors, mean)),
                published,
                String.format(Locale.ROOT, "%.2f", ratio),
                "0.5 to 2",
                ratio >= 1 / BAND && ratio <= BAND ? "inside" : "outside");
    }

    /** Formats as published: 4.89e-1, and 4.94 between 1 and 10. */
    private static String figure(int decimals, double value) {
        return String.format(Locale.ROOT, "%." + decimals + "e", value)
                .replaceFirst("e\\+00$", "")
                .replaceFirst("e([+-])0", "e$1");
    }

    private static double deviation(double[] values, double mean) {
        double squares = 0;
        for (double value : values) {
            squares += (value - mean) * (value - mean);
        }
        return Math.sqrt(squares / values.length);
    }

    static double error(Sobolev kernel, Method method, int n, int trial) {
        RandomStream random =
                RandomStream.of(trial, Purpose.CHECK, kernel.dimension(), kernel.smoothness(), n, method.ordinal());
        return switch (method) {
            case MONTE_CARLO ->
                kernel.squaredError(
                        kernel.uniform(n, random), WeightedPoints.all(n).weights());
            case THINNING -> {
                double[][] points = kernel.uniform(n * n, random);
                GramMatrix gram = GramMatrix.of(kernel.between(points, points));
                WeightedPoints rule = new KernelThinning().choose(gram, n, random);
                yield kernel.squaredError(chosen(points, rule), rule.weights());
            }
            case RECOMBINATION -> {
                double[][] points = kernel.uniform(n * n, random);
                WeightedPoints rule = recombined(kernel, points, n, random);
                yield kernel.squaredError(chosen(points, rule), rule.weights());
            }
            case RECOMBINATION_OPT -> {
                double[][] points = kernel.uniform(n * n, random);
                double[][] few = chosen(points, recombined(kernel, points, n, random));
                yield kernel.squaredError(few, bestWeights(kernel, few));
            }
        };
    }

    private static double[][] chosen(double[][] points, WeightedPoints rule) {
        return rule.of(Arrays.asList(points)).toArray(double[][]::new);
    }

    private static WeightedPoints recombined(Sobolev kernel, double[][] points, int n, RandomStream random) {
        double[][] sample = kernel.uniform(10 * n, random);
        SymmetricEigen pairs = SymmetricEigen.largest(kernel.between(sample, sample), sample.length, n - 1);
        double[] vectors = new double[(n - 1) * sample.length];
        for (int j = 0; j < n - 1; j++) {
            System.arraycopy(pairs.vectors()[j], 0, vectors, j * sample.length, sample.length);
        }
        double[] images = new double[(n - 1) * points.length];
        double[] cross = kernel.between(sample, points);
        Blas.best().multiply(NO, NO, n - 1, points.length, sample.length, vectors, 0, cross, 0, 0.0, images, 0);
        double[][] tests = new double[n - 1][];
        double[] residual = new double[points.length];
        for (int i = 0; i < points.length; i++) {
            residual[i] = kernel.at(points[i], points[i]);
        }
        for (int j = 0; j < n - 1; j++) {
            tests[j] = Arrays.copyOfRange(images, j * points.length, (j + 1) * points.length);
            for (int i = 0; i < points.length; i++) {
                residual[i] -= tests[j][i] * tests[j][i] / pairs.values()[j];
            }
        }
        return Recombination.recombine(tests, residual);
    }

    /**
     * The nonnegative weights of any sum with the least wce². Write w = t v with v on the simplex: 1 − 2 t + t² vᵀ K v is least at
     * t = 1 / vᵀ K v, where it is 1 − 1 / vᵀ K v. So v is the point of the convex hull nearest to 0.
     */
    static double[] bestWeights(Sobolev kernel, double[][] points) {
        double[] inner = kernel.between(points, points);
        double[] weights = SimplexWeights.nearest(inner, points.length);
        double square = 0;
        for (int a = 0; a < points.length; a++) {
            for (int b = 0; b < points.length; b++) {
                square += weights[a] * weights[b] * inner[a * points.length + b];
            }
        }
        double scale = 1 / square;
        return Arrays.stream(weights).map(weight -> scale * weight).toArray();
    }
}
