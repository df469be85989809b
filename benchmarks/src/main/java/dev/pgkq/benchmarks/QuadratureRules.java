package dev.pgkq.benchmarks;

import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.Herding;
import dev.pgkq.quadrature.KernelThinning;
import dev.pgkq.quadrature.LocalSearch;
import dev.pgkq.quadrature.Pursuit;
import dev.pgkq.quadrature.QuadratureRule;
import dev.pgkq.quadrature.RandomSubset;
import dev.pgkq.quadrature.RandomlyPivotedCholesky;
import dev.pgkq.quadrature.Recombination;
import dev.pgkq.quadrature.Reweighted;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;

/** Time of the quadrature rules on one core, and their error relative to the best known rule. */
final class QuadratureRules implements Benchmark {
    /** Size of a batch of episodes in training. */
    private static final int SMALL = 64;

    private static final int SMALL_POINTS = 8;
    private static final double SMALL_TARGET_MILLISECONDS = 2;
    private static final int LARGE = 4096;
    private static final int LARGE_POINTS = 64;
    private static final double LARGE_TARGET_SECONDS = 3;
    /** Small problems per round, because a single one is too short to time. */
    private static final int REPEATS = 20;

    private static final double QUARTILE = 0.25;

    /** A rule and its name in the tables. */
    record Named(String name, QuadratureRule rule) {}

    static final List<Named> RULES = List.of(
            new Named("random", new RandomSubset()),
            new Named("search", new LocalSearch(0)),
            new Named("pursuit", new Pursuit()),
            new Named("herding", new Herding()),
            new Named("thinning", new KernelThinning()),
            new Named("rpcholesky", new RandomlyPivotedCholesky()),
            new Named("recombination", new Recombination(true)),
            new Named("recombination without objective", new Recombination(false)));

    @Override
    public String name() {
        return "quadrature";
    }

    @Override
    public String doing() {
        return "kernel quadrature, time and error (a minute and a half)";
    }

    @Override
    public List<Row> run(Effort effort) {
        List<Row> rows = new ArrayList<>();
        smallTimes(effort, rows);
        largeTimes(effort, rows);
        rows.addAll(QuadratureErrors.rows(effort));
        return rows;
    }

    private static List<Named> timed() {
        List<Named> all = new ArrayList<>(RULES);
        all.add(new Named("herding + simplex weights", new Reweighted(new Herding())));
        return all;
    }

    private static void smallTimes(Effort effort, List<Row> rows) {
        GramMatrix gram = PointCloud.gaussian(SMALL, 5, 10, 0, RandomStream.of(1, Purpose.CHECK));
        for (Named named : timed()) {
            Runnable work = () -> {
                for (int i = 0; i < REPEATS; i++) {
                    named.rule.choose(gram, SMALL_POINTS, RandomStream.of(i, Purpose.CHECK));
                }
            };
            double milliseconds = 1e3 * seconds(work, effort.rounds(100), effort.rounds(100)) / REPEATS;
            String what = "quadrature 64 → 8, " + named.name + ", one core";
            rows.add(Row.atMost(what, milliseconds, SMALL_TARGET_MILLISECONDS, "ms"));
        }
    }

    private static void largeTimes(Effort effort, List<Row> rows) {
        GramMatrix gram = PointCloud.gaussian(LARGE, 5, 10, 0, RandomStream.of(2, Purpose.CHECK));
        for (Named named : timed()) {
            rows.add(largeTime("quadrature 4096 → 64, " + named.name + ", one core", named.rule, gram, effort));
        }
        // Recombination takes longer if the eigenvalues decay slowly.
        GramMatrix rough = PointCloud.sobolev(LARGE, new Sobolev(3, 1), RandomStream.of(3, Purpose.CHECK));
        rows.add(largeTime(
                "quadrature 4096 → 64, recombination, Sobolev d=3 s=1, one core",
                new Recombination(true),
                rough,
                effort));
    }

    private static Row largeTime(String what, QuadratureRule rule, GramMatrix gram, Effort effort) {
        double seconds =
                seconds(() -> rule.choose(gram, LARGE_POINTS, RandomStream.of(1, Purpose.CHECK)), 2, effort.rounds(7));
        return Row.atMost(what, seconds, LARGE_TARGET_SECONDS, "s");
    }

    /** The lower quartile of the rounds, as in all measurements of time. */
    private static double seconds(Runnable work, int warmUp, int rounds) {
        for (int i = 0; i < warmUp; i++) {
            work.run();
        }
        Rounds.Side side = Rounds.timed(work);
        double[] seconds = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            seconds[i] = side.run();
        }
        return Rounds.quantile(seconds, QUARTILE);
    }
}
