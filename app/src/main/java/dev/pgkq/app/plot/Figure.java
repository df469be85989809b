package dev.pgkq.app.plot;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a figure shows, before it is drawn.
 *
 * @param name of its files, without their ending
 * @param reference a value to mark with a thin line across
 */
public record Figure(
        String name, String title, String xLabel, String yLabel, OptionalDouble reference, List<Line> lines) {
    /** Ends of lines that are further apart than this need a logarithmic axis to be seen side by side. */
    private static final double FAR_APART = 4;

    /**
     * A line with a band.
     *
     * @param error half the height of the band; NaN where there is none
     * @param seeds how many runs it is the mean of
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
     * Whether the horizontal axis is logarithmic. It is where some lines reach several times as far as others: on an even
     * axis these would be pressed against its beginning.
     */
    boolean isLogarithmic() {
        double shortest = lines.stream().mapToDouble(Line::end).min().orElse(1);
        double longest = lines.stream().mapToDouble(Line::end).max().orElse(1);
        boolean positive = lines.stream().allMatch(line -> line.x[0] > 0);
        return positive && !xLabel.equals("iteration") && longest > FAR_APART * shortest;
    }

    /** Whether all lines are means of equally many runs, and of more than one: then that need not stand at each. */
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
