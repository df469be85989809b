package dev.pgkq.benchmarks;

import static dev.pgkq.linalg.Blas.Transpose.NO;

import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/** The innermost loops against plain Java. They have no targets, and help to locate the cause of a slowdown. */
final class Kernels implements Benchmark {
    private static final int ROWS = 512;
    private static final int INPUTS = 200;
    private static final int OUTPUTS = 100;
    private static final int ROLLOUT_ROWS = 8;
    private static final int ROLLOUT_REPEATS = 200;
    private static final int GAUSSIANS = 100_000;

    @Override
    public String name() {
        return "kernels";
    }

    @Override
    public String doing() {
        return "matrix products, affine rows, normal deviates";
    }

    @Override
    public List<Row> run(Effort effort) {
        return List.of(product(effort), affine(effort), gaussians(effort));
    }

    private static Row product(Effort effort) {
        float[] a = values(ROWS * INPUTS);
        float[] b = values(INPUTS * OUTPUTS);
        float[] c = new float[ROWS * OUTPUTS];
        Rounds rounds = Rounds.alternate(
                effort.rounds(50),
                effort.rounds(100),
                Rounds.timed(() -> multiply(Blas.best(), a, b, c)),
                Rounds.timed(() -> multiply(Blas.plain(), a, b, c)));
        double operations = 2e-9 * ROWS * INPUTS * OUTPUTS;
        return Row.forReference(
                "matrix product 512×200×100, OpenBLAS against plain Java",
                rate(operations / rounds.ours(), "GFLOP/s"),
                rate(operations / rounds.peer(), "GFLOP/s"),
                rounds.speedup());
    }

    private static void multiply(Blas blas, float[] a, float[] b, float[] c) {
        blas.multiply(NO, NO, ROWS, OUTPUTS, INPUTS, a, 0, b, 0, 0f, c, 0);
    }

    private static Row affine(Effort effort) {
        float[] x = values(ROLLOUT_ROWS * INPUTS);
        float[] parameters = values((INPUTS + 1) * OUTPUTS);
        float[] y = new float[ROLLOUT_ROWS * OUTPUTS];
        Rounds rounds = Rounds.alternate(
                effort.rounds(50),
                effort.rounds(100),
                Rounds.timed(() -> affine(Elementwise.best(), x, parameters, y)),
                Rounds.timed(() -> affine(Elementwise.plain(), x, parameters, y)));
        double rows = 1e-3 * ROLLOUT_ROWS * ROLLOUT_REPEATS;
        return Row.forReference(
                "affine rows 200→100, eight at a time, SIMD against plain Java",
                rate(rows / rounds.ours(), "k rows/s"),
                rate(rows / rounds.peer(), "k rows/s"),
                rounds.speedup());
    }

    private static void affine(Elementwise loops, float[] x, float[] parameters, float[] y) {
        for (int i = 0; i < ROLLOUT_REPEATS; i++) {
            loops.affineRows(x, ROLLOUT_ROWS, INPUTS, OUTPUTS, parameters, 0, true, y);
        }
    }

    /** The peer uses another method, and also gives the same numbers on every machine. */
    private static Row gaussians(Effort effort) {
        RandomStream ours = RandomStream.of(1, Purpose.CHECK);
        SplittableRandom theirs = new SplittableRandom(1);
        double[] sums = new double[2];
        Rounds rounds = Rounds.alternate(
                effort.rounds(50),
                effort.rounds(100),
                Rounds.timed(() -> {
                    for (int i = 0; i < GAUSSIANS; i++) {
                        sums[0] += ours.nextGaussian();
                    }
                }),
                Rounds.timed(() -> {
                    for (int i = 0; i < GAUSSIANS; i++) {
                        sums[1] += theirs.nextGaussian();
                    }
                }));
        if (!Double.isFinite(sums[0] + sums[1])) {
            throw new IllegalStateException("normal deviates are not finite");
        }
        return Row.forReference(
                "normal deviates, against Java's SplittableRandom",
                rate(1e-6 * GAUSSIANS / rounds.ours(), "M/s"),
                rate(1e-6 * GAUSSIANS / rounds.peer(), "M/s"),
                rounds.speedup());
    }

    private static float[] values(int count) {
        RandomStream random = RandomStream.of(count, Purpose.CHECK);
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] = (float) random.nextGaussian();
        }
        return values;
    }

    private static String rate(double value, String unit) {
        return String.format(Locale.ROOT, value < 100 ? "%.1f %s" : "%.0f %s", value, unit);
    }
}
