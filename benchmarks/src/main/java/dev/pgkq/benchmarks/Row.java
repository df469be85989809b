package dev.pgkq.benchmarks;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/**
 * One row of the report.
 *
 * @param what was measured
 * @param ours our figure with its unit, or empty
 * @param peer the figure for comparison, or empty
 * @param ratio of the two, or empty
 * @param target or empty if there is none
 * @param verdict met, missed, or the reason why there is none
 */
record Row(String what, String ours, String peer, String ratio, String target, String verdict) {
    static final List<String> HEADINGS = List.of("what", "ours", "peer", "ratio", "target", "verdict");

    /** A ratio that must reach a bound. */
    static Row atLeast(String what, String ours, String peer, double ratio, double target) {
        return new Row(
                what,
                ours,
                peer,
                String.format(Locale.ROOT, "%.2f", ratio),
                "≥ " + trimmed(target),
                ratio >= target ? "met" : "missed");
    }

    /** A figure that must not exceed a bound. */
    static Row atMost(String what, double value, double target, String unit) {
        return new Row(
                what,
                significant(value) + " " + unit,
                "",
                "",
                "≤ " + trimmed(target) + " " + unit,
                value <= target ? "met" : "missed");
    }

    /** A ratio that must not exceed a bound. */
    static Row ratioAtMost(String what, String ours, String peer, double ratio, double target) {
        return new Row(
                what,
                ours,
                peer,
                String.format(Locale.ROOT, "%.2f", ratio),
                "≤ " + trimmed(target),
                ratio <= target ? "met" : "missed");
    }

    /** Two figures without a target. */
    static Row forReference(String what, String ours, String peer, double ratio) {
        return new Row(what, ours, peer, String.format(Locale.ROOT, "%.2f", ratio), "", "");
    }

    static Row notMeasured(String what, String target, String why) {
        return new Row(what, "", "", "", target, "not measured: " + why);
    }

    Row withVerdict(String other) {
        return new Row(what, ours, peer, ratio, target, other);
    }

    List<String> cells() {
        return List.of(what, ours, peer, ratio, target, verdict);
    }

    /** Three digits, without an exponent. */
    private static String significant(double number) {
        return new BigDecimal(number).round(new MathContext(3)).toPlainString();
    }

    private static String trimmed(double number) {
        return String.format(Locale.ROOT, "%.2f", number).replaceFirst("\\.?0+$", "");
    }
}
