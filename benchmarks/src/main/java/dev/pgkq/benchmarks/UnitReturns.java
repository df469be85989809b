package dev.pgkq.benchmarks;

import dev.pgkq.statistics.Interval;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.statistics.StudentT;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Returns of runs that differ in the unit of their rewards, and their differences from those in the first unit. */
final class UnitReturns {
    private static final double LEVEL = 0.95;

    private final List<String> algorithms;
    private final List<String> units;
    /** By algorithm, unit and seed. */
    private final double[][][] returns;

    /** Trains once. */
    interface Run {
        double train(String algorithm, String unit, int seed);
    }

    UnitReturns(List<String> algorithms, List<String> units, int seeds, Run run) {
        this.algorithms = algorithms;
        this.units = units;
        this.returns = algorithms.stream()
                .map(algorithm -> units.stream()
                        .map(unit -> IntStream.rangeClosed(1, seeds)
                                .mapToDouble(seed -> run.train(algorithm, unit, seed))
                                .toArray())
                        .toArray(double[][]::new))
                .toArray(double[][][]::new);
    }

    String csv(String task) {
        StringBuilder text = new StringBuilder("task,algorithm,unit,seed,return\n");
        for (int a = 0; a < returns.length; a++) {
            for (int u = 0; u < units.size(); u++) {
                for (int s = 0; s < returns[a][u].length; s++) {
                    text.append(String.join(
                                    ",",
                                    task,
                                    algorithms.get(a),
                                    units.get(u),
                                    Integer.toString(s + 1),
                                    Double.toString(returns[a][u][s])))
                            .append('\n');
                }
            }
        }
        return text.toString();
    }

    /**
     * One line per algorithm, with the clearest difference from the first unit; then the relative difference over all
     * algorithms. Runs of the same seed are paired. Intervals cover all differences of a line at once.
     */
    List<List<String>> lines() {
        List<List<String>> lines = new ArrayList<>();
        List<String> headings = new ArrayList<>(List.of("algorithm"));
        units.forEach(unit -> headings.add("× " + unit));
        headings.add("clearest difference from × " + units.getFirst());
        lines.add(headings);
        for (int a = 0; a < returns.length; a++) {
            List<String> line = new ArrayList<>(List.of(algorithms.get(a)));
            for (double[] runs : returns[a]) {
                Statistics statistics = Statistics.of(runs);
                line.add(format("%.0f ± %.0f", statistics.mean(), statistics.deviation()));
            }
            line.add(clearestDifference(returns[a]));
            lines.add(line);
        }
        List<String> all = new ArrayList<>(List.of("relative difference, all", ""));
        for (int u = 1; u < units.size(); u++) {
            double[] relative = relativeDifferences(u);
            Interval interval = interval(relative);
            all.add(format(
                    "%+.1f %% [%+.1f, %+.1f]",
                    100 * Statistics.of(relative).mean(), 100 * interval.low(), 100 * interval.high()));
        }
        all.add("");
        lines.add(all);
        return lines;
    }

    /** The difference with the largest ratio of its mean to its standard error. */
    private String clearestDifference(double[][] byUnit) {
        double[] clearest = new double[0];
        double most = -1;
        for (int u = 1; u < byUnit.length; u++) {
            double[] differences = differences(byUnit, u);
            Statistics statistics = Statistics.of(differences);
            double ratio = Math.abs(statistics.mean()) / statistics.standardError();
            if (ratio > most) {
                most = ratio;
                clearest = differences;
            }
        }
        if (clearest.length == 0) {
            return "none";
        }
        Interval interval = interval(clearest);
        return format("%+.0f [%+.0f, %+.0f]", Statistics.of(clearest).mean(), interval.low(), interval.high());
    }

    /**
     * The mean difference of each seed over the algorithms, relative to the algorithm's mean return in the first unit. Runs of
     * the same seed start from the same networks, so only seeds are independent.
     */
    private double[] relativeDifferences(int unit) {
        double[] bySeed = new double[returns[0][unit].length];
        for (double[][] byUnit : returns) {
            double[] differences = differences(byUnit, unit);
            double size = Math.abs(Statistics.of(byUnit[0]).mean());
            for (int seed = 0; seed < bySeed.length; seed++) {
                bySeed[seed] += differences[seed] / size / returns.length;
            }
        }
        return bySeed;
    }

    private static double[] differences(double[][] byUnit, int unit) {
        return IntStream.range(0, byUnit[unit].length)
                .mapToDouble(seed -> byUnit[unit][seed] - byUnit[0][seed])
                .toArray();
    }

    private Interval interval(double[] differences) {
        return StudentT.ofMean(differences, 1 - (1 - LEVEL) / Math.max(1, units.size() - 1));
    }

    private static String format(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
