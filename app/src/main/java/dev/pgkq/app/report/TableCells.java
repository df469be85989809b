package dev.pgkq.app.report;

import dev.pgkq.app.plot.LineStyle;
import dev.pgkq.app.study.Summary;
import dev.pgkq.statistics.Interval;
import dev.pgkq.text.Numbers;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoubleFunction;

/** Formats numbers of a {@link Summary} for tables: few digits, and a dash for missing values. */
final class TableCells {
    private static final String MISSING = "<span class=\"none\">–</span>";

    private static final int MAX_DECIMALS = 4;

    private TableCells() {}

    /** "123.4 ± 5.6": two digits of the error, and the value with the same number of decimals. */
    static String plusMinus(Optional<Summary.Row> row) {
        if (row.isEmpty() || Double.isNaN(row.get().value())) {
            return MISSING;
        }
        double value = row.get().value();
        double error = row.get().interval().high() - value;
        if (!(error > 0) || Double.isInfinite(error)) {
            return number(Numbers.brief(value));
        }
        int decimals = Math.clamp(1 - (long) Math.floor(Math.log10(error)), 0, MAX_DECIMALS);
        String format = "%." + decimals + "f";
        return number(String.format(Locale.ROOT, format + " ± " + format, value, error));
    }

    /** Uses a minus sign instead of a hyphen, which is shorter and allows a line break. */
    private static String number(String text) {
        return Html.escape(text.replace('-', '−'));
    }

    /** What is said of numbers whose interval is too wide to tell. */
    static final String UNRESOLVED = "not resolved";

    /** "84 % [60, 105]". */
    static String percent(Optional<Summary.Row> row) {
        return withInterval(row, TableCells::inPercent, " %");
    }

    /** "0.84 [0.60, 1.05]". */
    static String ratio(Optional<Summary.Row> row) {
        return withInterval(row, value -> String.format(Locale.ROOT, "%.2f", Math.abs(value) < 0.005 ? 0 : value), "");
    }

    /** "123.4 [101.2, 130.1]". */
    static String withInterval(Optional<Summary.Row> row) {
        return withInterval(row, Numbers::brief, "");
    }

    private static String withInterval(Optional<Summary.Row> row, DoubleFunction<String> format, String unit) {
        if (row.isEmpty() || Double.isNaN(row.get().value())) {
            return MISSING;
        }
        return number(format.apply(row.get().value()) + unit)
                + interval(row.get().interval(), format)
                + (row.get().isUnresolved() ? " <small class=\"unresolved\">" + UNRESOLVED + "</small>" : "");
    }

    private static String interval(Interval interval, DoubleFunction<String> format) {
        return interval.isKnown()
                ? " <small>[" + number(format.apply(interval.low()) + ", " + format.apply(interval.high()))
                        + "]</small>"
                : "";
    }

    private static String inPercent(double share) {
        return Double.isInfinite(share) ? "∞" : Long.toString(Math.round(100 * share));
    }

    /** The rewards paid to reach the threshold: the median, and how many runs reached it. */
    static String reaching(Optional<Summary.Row> median, Optional<Summary.Row> reached) {
        if (median.isEmpty() || reached.isEmpty()) {
            return MISSING;
        }
        Summary.Row row = median.get();
        String share = " <small>(" + Math.round(reached.get().value()) + " of "
                + reached.get().count() + ")</small>";
        return (Double.isInfinite(row.value()) ? "not reached" : count(row.value())) + share;
    }

    /** A whole number with thousands separators. */
    static String count(double value) {
        return Double.isFinite(value) ? String.format(Locale.ROOT, "%,d", Math.round(value)) : MISSING;
    }

    static String count(Optional<Summary.Row> row) {
        return row.map(found -> count(found.value())).orElse(MISSING);
    }

    /** A label with a sample of its line in the figures. */
    static String swatch(LineStyle style, String label) {
        StringBuilder dashes = new StringBuilder();
        for (float length : style.dashes()) {
            dashes.append(dashes.isEmpty() ? "" : " ").append(length);
        }
        return String.format(
                Locale.ROOT,
                "<svg class=\"swatch\" width=\"36\" height=\"8\" aria-hidden=\"true\"><line x1=\"0\" y1=\"4\" x2=\"36\""
                        + " y2=\"4\" stroke=\"#%06x\" stroke-width=\"%.1f\" stroke-dasharray=\"%s\"/></svg> %s",
                style.colour().getRGB() & 0xffffff,
                style.width(),
                dashes.isEmpty() ? "none" : dashes,
                Html.escape(label));
    }
}
