package dev.pgkq.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/**
 * {@code events.jsonl}: what happened in a run and when, one JSON object per line, <code>{"time": …, "event": …, …}</code>.
 * The log shows why a run stopped, so every line is passed to the system at once, and a log that is opened after a crash
 * continues on a new line. Threads may share one log.
 */
public final class EventLog implements AutoCloseable {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final Clock clock;
    private final FileChannel channel;

    private EventLog(Path file, Clock clock, FileChannel channel) {
        this.file = file;
        this.clock = clock;
        this.channel = channel;
    }

    /** Opens the log, or creates it. */
    public static EventLog open(Path file) {
        return open(file, Clock.systemUTC());
    }

    static EventLog open(Path file, Clock clock) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            BoundedFile.requireIfPresent(file);
            boolean unfinished = endsWithinALine(file);
            EventLog log = new EventLog(
                    file, clock, FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND));
            if (unfinished) {
                log.write("\n");
            }
            return log;
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /**
     * Appends a line.
     *
     * @param fields strings, numbers, booleans, lists or maps of them
     * @throws IllegalArgumentException if a field is called {@code time} or {@code event}
     */
    public void append(String event, Map<String, ?> fields) {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("time", clock.instant().truncatedTo(ChronoUnit.MILLIS).toString());
        line.put("event", event);
        fields.forEach((name, value) -> {
            if (line.putIfAbsent(name, value) != null) {
                throw new IllegalArgumentException("the field \"" + name + "\" of an event is reserved");
            }
        });
        try {
            write(JSON.writeValueAsString(line) + "\n");
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private synchronized void write(String text) throws IOException {
        WholeFile.writeFully(ByteBuffer.wrap(text.getBytes(UTF_8)), channel);
    }

    private static boolean endsWithinALine(Path file) throws IOException {
        if (!Files.exists(file) || Files.size(file) == 0) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer last = ByteBuffer.allocate(1);
            channel.read(last, channel.size() - 1);
            return last.get(0) != '\n';
        }
    }
}
