package dev.pgkq.rewards.files;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Lines of comma-separated values, quoted where a text needs it. */
public final class Csv {
    private Csv() {}

    /** One line with its end. What is not a number is left empty. */
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
