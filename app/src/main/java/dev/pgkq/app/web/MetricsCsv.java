package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.files.BoundedFile;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Reads lines of {@code metrics.csv} and converts them to JSON. Row k of the file has sequence number k, from 1, so a viewer
 * that knows how many rows it has can request the rest, also after a restart of the server.
 */
final class MetricsCsv {
    private static final int MAX_BYTES = 256 << 20;

    private MetricsCsv() {}

    /** The complete lines of a run's metrics, starting with the header; none if there is no such file. */
    static List<String> lines(ServedFolder folder, RunDirectory directory) {
        return folder.served(directory.metrics())
                .map(file -> {
                    try {
                        String text = BoundedFile.text(file, MAX_BYTES);
                        return text.substring(0, text.lastIndexOf('\n') + 1)
                                .lines()
                                .toList();
                    } catch (IOException e) {
                        return List.<String>of();
                    }
                })
                .orElse(List.of());
    }

    static List<String> columns(String line) {
        return List.of(line.split(",", -1));
    }

    /** {@code {"columns": […], "rows": [[…]…], "seq": …}}. */
    static String json(List<String> lines) {
        List<String> columns = lines.isEmpty() ? List.of() : columns(lines.getFirst());
        StringBuilder json = new StringBuilder("{\"columns\":");
        json.append(Json.write(columns)).append(",\"rows\":[");
        for (int i = 1; i < lines.size(); i++) {
            json.append(i == 1 ? "" : ",").append(row(lines.get(i), columns.size()));
        }
        return json.append("],\"seq\":")
                .append(Math.max(0, lines.size() - 1))
                .append('}')
                .toString();
    }

    /** A row as a JSON array with one value per column; null for values that are missing or not numbers. */
    static String row(String line, int columns) {
        double[] values = values(line, columns);
        StringBuilder json = new StringBuilder("[");
        for (int i = 0; i < columns; i++) {
            json.append(i == 0 ? "" : ",");
            Json.number(json, values[i]);
        }
        return json.append(']').toString();
    }

    static double[] values(String line, int columns) {
        double[] values = new double[columns];
        Arrays.fill(values, Double.NaN);
        String[] cells = line.split(",", -1);
        for (int i = 0; i < Math.min(columns, cells.length); i++) {
            try {
                values[i] = cells[i].isEmpty() ? Double.NaN : Double.parseDouble(cells[i]);
            } catch (NumberFormatException e) {
                // stays NaN
            }
        }
        return values;
    }

    /** A checksum that identifies a row. */
    static int checksum(String line) {
        CRC32C sum = new CRC32C();
        sum.update(line.getBytes(UTF_8));
        return (int) sum.getValue();
    }
}
