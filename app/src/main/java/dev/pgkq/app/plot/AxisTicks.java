package dev.pgkq.app.plot;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.text.NumberFormat;
import java.util.Arrays;
import java.util.Locale;
import org.jfree.chart.axis.LogAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.axis.NumberTickUnit;

/** Sets the ranges and ticks of axes, with few, round numbers. JFreeChart itself adds as many ticks as fit. */
final class AxisTicks {
    private static final double MARGIN = 0.06;

    private AxisTicks() {}

    /** An axis of integers that covers these values. */
    static void integers(NumberAxis axis, double[] values) {
        integers(axis, values, 10);
    }

    /** An axis of integers from 0 that covers these values. */
    static void counts(NumberAxis axis, double[] values, int maxTicks) {
        double[] withZero = Arrays.copyOf(values, values.length + 1);
        integers(axis, withZero, maxTicks);
    }

    /** Like {@link #integers}, for narrow figures: fewer ticks and compact labels for large numbers. */
    static void compactIntegers(NumberAxis axis, double[] values) {
        double high = Arrays.stream(values).filter(Double::isFinite).max().orElse(1);
        integers(axis, values, high >= 10_000 ? 6 : 8);
        if (high >= 10_000) {
            axis.setNumberFormatOverride(compact());
        }
    }

    /** Formats large numbers as 20K or 1.5M. */
    private static NumberFormat compact() {
        NumberFormat format = NumberFormat.getCompactNumberInstance(Locale.ENGLISH, NumberFormat.Style.SHORT);
        format.setMaximumFractionDigits(2);
        return format;
    }

    private static void integers(NumberAxis axis, double[] values, int maxTicks) {
        double low = Arrays.stream(values).filter(Double::isFinite).min().orElse(0);
        double high = Arrays.stream(values).filter(Double::isFinite).max().orElse(1);
        double padding = high > low ? 0.015 * (high - low) : 1;
        axis.setRange(low - padding, high + padding);
        axis.setTickUnit(unit(Math.max(1, roundStep((high - low) / maxTicks)), high));
    }

    /**
     * An axis from low to high with a margin. If all values are nearly the same, the range is widened to avoid ticks with many
     * digits; without values (low above high) it is 0 to 1.
     */
    static void reals(NumberAxis axis, double low, double high, int ticks) {
        if (low > high) {
            axis.setRange(0, 1);
            return;
        }
        double largest = Math.max(Math.abs(low), Math.abs(high));
        double padding = high - low > largest * 1e-6 ? MARGIN * (high - low) : largest == 0 ? 1 : 0.1 * largest;
        axis.setRange(low - padding, high + padding);
        axis.setTickUnit(unit(roundStep((high - low + 2 * padding) / ticks), largest));
    }

    /** A logarithmic axis that covers these positive values. */
    static LogAxis logarithmic(String label, double[] values) {
        LogAxis axis = new TextLogAxis(label, compact());
        double low = Arrays.stream(values).min().orElse(1);
        double high = Arrays.stream(values).max().orElse(10);
        double padding = Math.pow(high / low, 0.015);
        axis.setRange(low / padding, high * padding);
        axis.setMinorTickMarksVisible(true);
        return axis;
    }

    /** The smallest of …, 0.5, 1, 2, 5, 10, … that is at least this large. */
    static double roundStep(double least) {
        if (!(least > 0)) {
            return 1;
        }
        double power = Math.pow(10, Math.floor(Math.log10(least)));
        for (int factor : new int[] {1, 2, 5}) {
            if (factor * power >= least * (1 - 1e-9)) {
                return factor * power;
            }
        }
        return 10 * power;
    }

    private static NumberTickUnit unit(double step, double largest) {
        boolean plain = largest < 1e7 && step >= 1e-5;
        String pattern = plain ? "#,##0.#####" : "0.###E0";
        return new NumberTickUnit(step, new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT)));
    }
}
