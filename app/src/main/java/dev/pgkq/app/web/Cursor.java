package dev.pgkq.app.web;

import dev.pgkq.app.web.WatchedRun.Update;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A viewer's position in the updates of one run. Its text, {@code ROWS.CHECKSUM.ITERATION}, is part of the id of every event
 * and is all that is needed to continue from there: rows are numbered by their position in {@code metrics.csv}, and the
 * checksum of the last one shows whether the file still contains the rows that the viewer has.
 */
final class Cursor {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\.([0-9a-f]{1,8})\\.(\\d{1,9})");

    private final WatchedRun run;
    private final ServedFolder folder;
    private int rows;
    private Optional<Integer> checksum = Optional.empty();
    private int iteration;
    private long generation;
    private long sent;

    /** The cursor of a viewer that has some rows but no checksum. */
    Cursor(WatchedRun run, ServedFolder folder, int rows) {
        this.run = run;
        this.folder = folder;
        this.rows = rows;
    }

    /** Restores a cursor from its text. */
    static Cursor parse(String text, WatchedRun run, ServedFolder folder) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return new Cursor(run, folder, 0);
        }
        Cursor cursor = new Cursor(run, folder, Integer.parseInt(parts.group(1)));
        cursor.checksum = Optional.of(Integer.parseUnsignedInt(parts.group(2), 16));
        cursor.iteration = Integer.parseInt(parts.group(3));
        return cursor;
    }

    /** Passes on the name and data of every event that is new to this viewer, and advances. */
    void collect(BiConsumer<String, String> send) {
        if (generation == 0) {
            generation = run.feed().generationOf(rows, checksum);
        }
        Optional<List<RunFeed.Row>> recent = run.feed().after(generation, rows);
        if (recent.isPresent()) {
            recent.get().forEach(row -> send(row, send));
        } else {
            collectFromFile(run.feed().position(), send);
        }
        // after a reconnect the last iteration is sent again, because its files may have been rewritten
        for (Update update : run.after(sent, sent == 0 ? iteration : 0)) {
            sent = Math.max(sent, update.version());
            iteration = Math.max(iteration, update.iteration());
            send.accept(update.event(), update.json());
        }
    }

    /** Reads rows from the file, but none beyond those the feed has read, because the feed detects replaced files. */
    private void collectFromFile(RunFeed.Position now, BiConsumer<String, String> send) {
        List<String> lines = MetricsCsv.lines(folder, run.feed().run().directory());
        generation = now.generation();
        if (rows > 0 && !hasLastRow(lines)) {
            rows = 0;
            checksum = Optional.empty();
            send.accept("reset", Json.write(Map.of("run", run.feed().run().id())));
        }
        int columns = lines.isEmpty() ? 0 : MetricsCsv.columns(lines.getFirst()).size();
        for (int row = rows + 1; row <= Math.min(now.rows(), lines.size() - 1); row++) {
            send(RunFeed.Row.of(run.feed().run(), row, lines.get(row), columns), send);
        }
    }

    /** Whether the file contains the viewer's last row. */
    private boolean hasLastRow(List<String> lines) {
        if (rows >= lines.size()) {
            return false;
        }
        int found = MetricsCsv.checksum(lines.get(rows));
        boolean known = checksum.isEmpty() || checksum.get() == found;
        checksum = Optional.of(found);
        return known;
    }

    private void send(RunFeed.Row row, BiConsumer<String, String> send) {
        rows = row.seq();
        checksum = Optional.of(row.checksum());
        send.accept("row", row.json());
    }

    @Override
    public String toString() {
        return rows + "." + Integer.toHexString(checksum.orElse(0)) + "." + iteration;
    }
}
