package dev.pgkq.mujoco;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;

/** A recorded trajectory of a task; its README tells where it comes from. */
record GoldenTrajectory(List<Row> rows) {

    @SuppressWarnings("ArrayRecordComponent") // rows are read, never compared
    record Row(
            int episode,
            int step,
            double[] action,
            double[] observation,
            double reward,
            boolean terminated,
            double[] qpos,
            double[] qvel) {}

    static GoldenTrajectory of(String task) throws IOException {
        InputStream file = GoldenTrajectory.class.getResourceAsStream("golden/" + task + ".csv.gz");
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                new GZIPInputStream(Objects.requireNonNull(file, task)), StandardCharsets.US_ASCII))) {
            List<String> header = List.of(lines.readLine().split(","));
            List<Row> rows = new ArrayList<>();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                rows.add(row(header, line.split(",")));
            }
            return new GoldenTrajectory(rows);
        }
    }

    private static Row row(List<String> header, String[] cells) {
        return new Row(
                Integer.parseInt(cells[0]),
                Integer.parseInt(cells[1]),
                columns(header, cells, "action"),
                columns(header, cells, "obs"),
                columns(header, cells, "reward")[0],
                columns(header, cells, "terminated")[0] == 1,
                columns(header, cells, "qpos"),
                columns(header, cells, "qvel"));
    }

    private static double[] columns(List<String> header, String[] cells, String prefix) {
        return IntStream.range(0, cells.length)
                .filter(i -> header.get(i).startsWith(prefix))
                .mapToDouble(i -> Double.parseDouble(cells[i]))
                .toArray();
    }
}
