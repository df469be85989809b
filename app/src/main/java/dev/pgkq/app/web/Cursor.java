package dev.pgkq.app.web;

import dev.pgkq.app.web.WatchedRun.Update;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How far one viewer is with one run. Its text, {@code ROWS.CHECKSUM.ITERATION}, is part of the id of every event he gets,
 * and all that is needed to go on from there: rows are numbered by their place in {@code metrics.csv}, and the checksum of
 * the last one tells whether the file still has the rows that he knows.
 */
final class Cursor {
    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})\\.([0-9a-f]{1,8})\\.(\\d{1,9})");

    private final WatchedRun channel;
    private final ServedFolder folder;
    private int rows;
    private Optional<Integer> checksum = Optional.empty();
    private int iteration;
    private long generation;
    private long told;

    /** A viewer who knows some rows, and cannot say which. */
    Cursor(WatchedRun channel, ServedFolder folder, int rows) {
        this.channel = channel;
        this.folder = folder;
        this.rows = rows;
    }

    /** Goes on from where an earlier one was. */
    static Cursor parse(String text, WatchedRun channel, ServedFolder folder) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return new Cursor(channel, folder, 0);
        }
        Cursor cursor = new Cursor(channel, folder, Integer.parseInt(parts.group(1)));
        cursor.checksum = Optional.of(Integer.parseUnsignedInt(parts.group(2), 16));
        cursor.iteration = Integer.parseInt(parts.group(3));
        return cursor;
    }

    /** Hands over what is new to this viewer, each as the name and the data of an event, and moves on. */
    void collect(BiConsumer<String, String> send) {
        if (generation == 0) {
            generation = channel.feed().generationOf(rows, checksum);
        }
        Optional<List<RunFeed.Row>> recent = channel.feed().after(generation, rows);
        if (recent.isPresent()) {
            recent.get().forEach(row -> send(row, send));
        } else {
            collectFromFile(channel.feed().position(), send);
        }
        // Who comes back gets the iteration that he had last again: it may have been written again meanwhile.
        for (Update news : channel.after(told, told == 0 ? iteration : 0)) {
            told = Math.max(told, news.version());
            iteration = Math.max(iteration, news.iteration());
            send.accept(news.event(), news.json());
        }
    }

    /** No further than the feed is: it tells when rows that it knows are dropped. */
    private void collectFromFile(RunFeed.Position now, BiConsumer<String, String> send) {
        List<String> lines = MetricsCsv.lines(folder, channel.feed().run().directory());
        generation = now.generation();
        if (rows > 0 && !isKnown(lines)) {
            rows = 0;
            checksum = Optional.empty();
            send.accept("reset", Json.write(Map.of("run", channel.feed().run().id())));
        }
        int columns =
                lines.isEmpty() ? 0 : MetricsCsv.columns(lines.getFirst()).size();
        for (int row = rows + 1; row <= Math.min(now.rows(), lines.size() - 1); row++) {
            send(RunFeed.Row.of(channel.feed().run(), row, lines.get(row), columns), send);
        }
    }

    /** Whether the file has the rows that the viewer has, as far as the last one tells. */
    private boolean isKnown(List<String> lines) {
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
