package dev.pgkq.app.terminal;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text histogram of durations. Durations differ by orders of magnitude, so every bin is two or three times as wide as
 * the previous one. The edges are familiar durations.
 */
public final class DurationHistogram {
    /** Lower edge of a bin. */
    private record Edge(double seconds, String label) {}

    private static final List<Edge> EDGES = edges();

    private DurationHistogram() {}

    private static List<Edge> edges() {
        List<Edge> edges = new ArrayList<>();
        edges.add(new Edge(0, "0"));
        add(edges, 0.001, "ms", 1, 2, 5, 10, 20, 50, 100, 200, 500);
        add(edges, 1, "s", 1, 2, 5, 10, 30);
        add(edges, 60, "m", 1, 2, 5, 10, 30);
        add(edges, 3600, "h", 1, 2, 5, 12);
        add(edges, 86_400, "d", 1, 2, 5, 10, 20, 50);
        return List.copyOf(edges);
    }

    private static void add(List<Edge> edges, double unit, String name, int... counts) {
        for (int count : counts) {
            edges.add(new Edge(count * unit, count + name));
        }
    }

    /** Lower edges of the bins in seconds, starting at 0; the last bin has no upper edge. */
    public static double[] binStarts() {
        return EDGES.stream().mapToDouble(Edge::seconds).toArray();
    }

    /** The lines of the histogram, from the first bin that is not empty to the last. */
    public static List<String> lines(double[] seconds, int width, boolean unicode) {
        if (seconds.length == 0) {
            return List.of("no values");
        }
        int[] counts = new int[EDGES.size()];
        for (double value : seconds) {
            counts[bin(value)]++;
        }
        int first = bin(Arrays.stream(seconds).min().orElseThrow());
        int last = bin(Arrays.stream(seconds).max().orElseThrow());
        List<String> lines = new ArrayList<>();
        Histogram.bars(
                lines,
                labels(first, last, unicode),
                Arrays.copyOfRange(counts, first, last + 1),
                Math.max(0, width),
                unicode);
        return lines;
    }

    /** The index of the bin that contains the value. */
    public static int bin(double seconds) {
        int bin = EDGES.size() - 1;
        while (bin > 0 && EDGES.get(bin).seconds() > seconds) {
            bin--;
        }
        return bin;
    }

    private static List<String> labels(int first, int last, boolean unicode) {
        List<String> labels = new ArrayList<>();
        for (int bin = first; bin <= last; bin++) {
            String from = pad(EDGES.get(bin).label());
            labels.add(
                    bin + 1 == EDGES.size()
                            ? from + (unicode ? " – " : " to ") + pad("")
                            : from
                                    + (unicode ? " – " : " to ")
                                    + pad(EDGES.get(bin + 1).label()));
        }
        return labels;
    }

    private static String pad(String label) {
        return " ".repeat("500ms".length() - label.length()) + label;
    }
}
