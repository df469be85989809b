package dev.pgkq.app.plot;

import java.util.List;
import java.util.OptionalDouble;

/**
 * The content of a figure.
 *
 * @param name file name without extension
 * @param reference a value to mark with a thin horizontal line
 */
public record Figure(
        String name, String title, String xLabel, String yLabel, OptionalDouble reference, List<Line> lines) {
    /** Ratio of the lines' end points above which the horizontal axis is logarithmic. */
    private static final double LOGARITHMIC_RATIO = 4;

    /**
     * A line with a band.
     *
     * @param error half the height of the band; NaN if there is none
     * @param seeds number of runs it is the mean of
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Line(String label, LineStyle style, double[] x, double[] mean, double[] error, int seeds) {
        boolean isEmpty() {
            return x.length == 0;
        }

        double end() {
            return x[x.length - 1];
        }
    }

    public Figure {
        lines = lines.stream().filter(line -> !line.isEmpty()).toList();
    }

    /**
     * Whether the horizontal axis is logarithmic. It is if some lines extend several times as far as others, which would be
     * hard to see on a linear axis.
     */
    boolean isLogarithmic() {
        double shortest = lines.stream().mapToDouble(Line::end).min().orElse(1);
        double longest = lines.stream().mapToDouble(Line::end).max().orElse(1);
        boolean positive = lines.stream().allMatch(line -> line.x[0] > 0);
        return positive && !xLabel.equals("iteration") && longest > LOGARITHMIC_RATIO * shortest;
    }

    /** Whether all lines are means of the same number of runs, more than one, so that labels need not state it. */
    boolean isEvenlyRepeated() {
        return lines.stream().mapToInt(Line::seeds).distinct().count() == 1
                && lines.getFirst().seeds() > 1;
    }

    /** The label of a line in the legend. */
    String legend(Line line) {
        return isEvenlyRepeated() ? line.label() : line.label() + " (" + seeds(line.seeds()) + ")";
    }

    static String seeds(int count) {
        return count == 1 ? "1 seed" : count + " seeds";
    }
}
