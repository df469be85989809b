package dev.pgkq.app.terminal;

import dev.pgkq.text.Numbers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A text histogram with one line per bin. The edges of the bins are round numbers, which are easy to read; so the number of
 * bins cannot be chosen exactly and is about eleven.
 */
public final class Histogram {
    private static final int BINS = 11;
    /** Candidates for the width of a bin, roundest first; among equally good ones the first is taken. */
    private static final double[] STEPS = {1, 2, 5, 2.5, 4, 3, 6, 8, 1.5};

    /** Values as close as this look the same to a reader, and rounding could not separate them into bins. */
    private static final double LEAST_RANGE = 1e-300;

    private static final String EIGHTHS = " ▏▎▍▌▋▊▉";

    /** The bins [edge i, edge i + 1), the last with its upper edge; edge i is (first + i) × step. */
    @SuppressWarnings("ArrayRecordComponent")
    record Bins(BigDecimal step, long first, int[] counts) {
        BigDecimal edge(int i) {
            return step.multiply(BigDecimal.valueOf(first + i));
        }
    }

    private Histogram() {}

    /**
     * The lines of the histogram, none wider than {@code width}.
     *
     * @param unicode whether characters beyond ASCII can be printed
     */
    public static List<String> lines(double[] values, int width, boolean unicode) {
        double[] finite = Arrays.stream(values).filter(Double::isFinite).toArray();
        List<String> lines = new ArrayList<>();
        if (finite.length == 0) {
            lines.add("no values");
        } else {
            double low = Arrays.stream(finite).min().orElseThrow();
            double high = Arrays.stream(finite).max().orElseThrow();
            if (high / 2 - low / 2 <= Math.max(LEAST_RANGE, 1e-9 * Math.max(Math.abs(low), Math.abs(high)))) {
                bars(lines, List.of(Numbers.brief(low)), new int[] {finite.length}, width, unicode);
            } else {
                Bins bins = bins(finite, low, high);
                bars(lines, labels(bins, unicode), bins.counts(), width, unicode);
            }
        }
        if (finite.length < values.length) {
            lines.add((values.length - finite.length) + " not finite");
        }
        return lines.stream()
                .map(line -> line.substring(0, Math.min(line.length(), Math.max(0, width))))
                .toList();
    }

    static Bins bins(double[] values, double low, double high) {
        BigDecimal step = step(low, high);
        BigDecimal bottom = BigDecimal.valueOf(low).divide(step, 0, RoundingMode.FLOOR);
        BigDecimal top = BigDecimal.valueOf(high).divide(step, 0, RoundingMode.CEILING);
        int[] counts = new int[Math.max(1, top.subtract(bottom).intValueExact())];
        for (double value : values) {
            int bin = BigDecimal.valueOf(value)
                    .divide(step, 0, RoundingMode.FLOOR)
                    .subtract(bottom)
                    .intValueExact();
            counts[Math.min(bin, counts.length - 1)]++;
        }
        return new Bins(step, bottom.longValueExact(), counts);
    }

    private static BigDecimal step(double low, double high) {
        int power = (int) Math.floor(Math.log10(high / BINS - low / BINS));
        BigDecimal best = BigDecimal.ONE;
        long least = Long.MAX_VALUE;
        for (double factor : STEPS) {
            for (int exponent = power; exponent <= power + 1; exponent++) {
                BigDecimal step = BigDecimal.valueOf(factor).scaleByPowerOfTen(exponent);
                BigDecimal bins = BigDecimal.valueOf(high)
                        .divide(step, 0, RoundingMode.CEILING)
                        .subtract(BigDecimal.valueOf(low).divide(step, 0, RoundingMode.FLOOR));
                // ten to twelve bins are equally good
                long miss = Math.max(1, Math.abs(bins.longValue() - BINS));
                if (miss < least) {
                    least = miss;
                    best = step;
                }
            }
        }
        return best;
    }

    private static List<String> labels(Bins bins, boolean unicode) {
        int edges = bins.counts().length + 1;
        boolean plain = bins.edge(0).abs().max(bins.edge(edges - 1).abs()).doubleValue() < 1e7
                && bins.step().doubleValue() >= 1e-4;
        int scale = Math.max(0, bins.step().stripTrailingZeros().scale());
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < edges; i++) {
            BigDecimal edge = bins.edge(i);
            texts.add(plain ? edge.setScale(scale, RoundingMode.HALF_EVEN).toPlainString() : scientific(edge));
        }
        int longest = texts.stream().mapToInt(String::length).max().orElse(0);
        List<String> labels = new ArrayList<>();
        for (int i = 0; i + 1 < edges; i++) {
            labels.add(" ".repeat(longest - texts.get(i).length())
                    + texts.get(i)
                    + (unicode ? " – " : " to ")
                    + " ".repeat(longest - texts.get(i + 1).length())
                    + texts.get(i + 1));
        }
        return labels;
    }

    /** All digits of a round number in scientific notation, for example 1.25e-7. */
    private static String scientific(BigDecimal edge) {
        if (edge.signum() == 0) {
            return "0";
        }
        BigDecimal stripped = edge.stripTrailingZeros();
        int exponent = stripped.precision() - stripped.scale() - 1;
        return stripped.scaleByPowerOfTen(-exponent).toPlainString() + "e" + exponent;
    }

    /** Adds one line per count, each with its label in front. */
    static void bars(List<String> lines, List<String> labels, int[] counts, int width, boolean unicode) {
        int most = Arrays.stream(counts).max().orElse(1);
        int countWidth = String.valueOf(most).length();
        int room = Math.max(1, width - labels.getFirst().length() - 3 - countWidth);
        for (int i = 0; i < counts.length; i++) {
            String bar = bar((double) counts[i] / most * room, unicode);
            lines.add(labels.get(i) + (unicode ? " │" : " |") + bar + " " + counts[i]);
        }
    }

    private static String bar(double length, boolean unicode) {
        if (!unicode) {
            return "#".repeat((int) Math.round(length));
        }
        int eighths = (int) Math.round(length * 8);
        String end = eighths % 8 == 0 ? "" : EIGHTHS.substring(eighths % 8, eighths % 8 + 1);
        return "█".repeat(eighths / 8) + end;
    }
}
