package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What an {@link AdviserLoop} wrote down. */
final class LoopLog {
    private static final long PAUSE_NANOS = 100_000;

    private LoopLog() {}

    /**
     * A line.
     *
     * @param what the loop does, or was answered
     * @param words identifiers of items
     */
    record Line(String what, int batch, List<String> words) {
        boolean is(String other) {
            return what.equals(other);
        }
    }

    /** All lines so far. */
    static List<Line> read(Path log) throws IOException {
        List<Line> lines = new ArrayList<>();
        if (Files.exists(log)) {
            for (String text : Files.readAllLines(log)) {
                List<String> words = Arrays.asList(text.split(" "));
                lines.add(new Line(words.get(0), Integer.parseInt(words.get(1)), words.subList(2, words.size())));
            }
        }
        return lines;
    }

    /** Waits for a new line that begins with a word; {@code meanwhile} throws if there will be none. */
    static void await(Path log, String what, Runnable meanwhile) throws IOException {
        long from = Files.exists(log) ? Files.size(log) : 0;
        while (!hasLine(log, from, what)) {
            meanwhile.run();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** The length is that of whole lines. */
    private static boolean hasLine(Path log, long from, String what) throws IOException {
        if (!Files.exists(log) || Files.size(log) == from) {
            return false;
        }
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
            byte[] bytes = new byte[Math.toIntExact(file.length() - from)];
            file.seek(from);
            file.readFully(bytes);
            return new String(bytes, UTF_8).lines().anyMatch(line -> line.startsWith(what + " "));
        }
    }
}
