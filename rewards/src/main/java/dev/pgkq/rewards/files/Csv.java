package dev.pgkq.rewards.files;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Writes lines of comma-separated values, quoted where necessary. */
public final class Csv {
    private Csv() {}

    /** One line with its line break. NaN is written as an empty cell. */
    public static String line(Object... cells) {
        return Arrays.stream(cells).map(Csv::cell).collect(Collectors.joining(",", "", "\n"));
    }

    private static String cell(Object cell) {
        if (cell instanceof Double || cell instanceof Float) {
            double value = ((Number) cell).doubleValue();
            return Double.isNaN(value) ? "" : Double.isInfinite(value) ? (value > 0 ? "inf" : "-inf") : cell.toString();
        }
        String text = cell.toString();
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }
}
