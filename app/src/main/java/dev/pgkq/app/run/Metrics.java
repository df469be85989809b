package dev.pgkq.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.NearestNames;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The contents of {@code metrics.csv} at one moment. Missing values are NaN. The file may be read while the run is training:
 * a line that is not complete yet is skipped.
 *
 * @param file that was read
 * @param columns names of the columns
 * @param rows in the order of the file, each with one value per column
 */
public record Metrics(Path file, List<String> columns, List<List<Double>> rows) {
    /** Enough for a million rows. */
    private static final int MAX_BYTES = 256 << 20;

    public Metrics {
        columns = List.copyOf(columns);
        rows = List.copyOf(rows);
    }

    /** Reads a metrics file. */
    public static Metrics read(Path file) {
        return of(file, wholeLines(file));
    }

    static Metrics of(Path file, List<String> lines) {
        if (lines.isEmpty()) {
            throw new UserException(file + " is empty; it should start with a line of column names");
        }
        List<String> columns = cells(lines.getFirst());
        List<List<Double>> rows = new ArrayList<>(lines.size() - 1);
        for (int i = 1; i < lines.size(); i++) {
            rows.add(parse(file, i + 1, lines.get(i), columns));
        }
        return new Metrics(file, columns, rows);
    }

    /** Whether there is a column of that name. */
    public boolean has(String column) {
        return columns.contains(column);
    }

    /** The number of rows. */
    public int size() {
        return rows.size();
    }

    /**
     * The values of one column, in a new array.
     *
     * @throws UserException if there is no such column
     */
    public double[] column(String name) {
        int index = columns.indexOf(name);
        if (index < 0) {
            throw new UserException(
                    file + " has no column \"" + name + "\"" + Excerpt.first(NearestNames.hint(name, columns)));
        }
        return rows.stream().mapToDouble(row -> row.get(index)).toArray();
    }

    /** The complete lines. One without a line feed was still being written, or was cut off by a crash. */
    static List<String> wholeLines(Path file) {
        try {
            return wholeLines(BoundedFile.bytes(file, MAX_BYTES));
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Bytes that are not valid text become characters that are not numbers, so damage is reported when they are parsed. */
    static List<String> wholeLines(byte[] bytes) {
        String text = new String(bytes, UTF_8);
        return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    }

    static List<String> cells(String line) {
        return List.of(line.split(",", -1));
    }

    private static List<Double> parse(Path file, int number, String line, List<String> columns) {
        List<String> cells = cells(line);
        if (cells.size() != columns.size()) {
            throw new UserException(file + ", line " + number + ": it has " + cells.size() + " values for "
                    + columns.size() + " columns");
        }
        List<Double> values = new ArrayList<>(cells.size());
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            try {
                values.add(cell.isEmpty() ? Double.NaN : Double.parseDouble(cell));
            } catch (NumberFormatException e) {
                throw new UserException(
                        file + ", line " + number + ": " + Excerpt.first(columns.get(i)) + " is \""
                                + Excerpt.first(cell) + "\", which is not a number",
                        e);
            }
        }
        return values;
    }
}
