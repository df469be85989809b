package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Follows a text file and returns the lines appended to it. While the file is unchanged, a check costs one system call.
 * Otherwise only the appended part is read, and the last line before it, which shows whether the file is still the same:
 * resuming a run replaces its metrics with fewer rows.
 */
final class FileTail {
    private static final int MAX_READ_BYTES = 4 << 20;

    private final Path file;
    private final Function<Path, Optional<Path>> allowed;
    private @Nullable Stamp seen;
    private long position;
    private byte[] lastLine = new byte[0];

    /** The attributes that change with a file. */
    private record Stamp(long size, long modified, @Nullable Object key) {}

    /**
     * What has changed since the last read.
     *
     * @param restarted whether the file was replaced, so that all of it is new
     * @param lines complete lines only
     */
    record Change(boolean restarted, List<String> lines) {
        static final Change NONE = new Change(false, List.of());
    }

    /** @param allowed resolves the file if it may be read; called whenever the file has changed */
    FileTail(Path file, Function<Path, Optional<Path>> allowed) {
        this.file = file;
        this.allowed = allowed;
    }

    /** Time of the last modification, in milliseconds; 0 if the file does not exist. */
    long modified() {
        return seen == null ? 0 : seen.modified;
    }

    /** Reads what was appended. */
    Change read() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            Stamp stamp = new Stamp(now.size(), now.lastModifiedTime().toMillis(), now.fileKey());
            if (stamp.equals(seen)) {
                return Change.NONE;
            }
            Optional<Path> real = allowed.apply(file);
            if (real.isEmpty() || !now.isRegularFile()) {
                return restart();
            }
            try (FileChannel channel = FileChannel.open(real.get(), StandardOpenOption.READ)) {
                boolean restarted = false;
                if (!continues(channel)) {
                    restart();
                    restarted = true;
                }
                List<String> lines = append(channel);
                // if more remains than one read takes, the next call continues
                seen = position + MAX_READ_BYTES <= stamp.size ? null : stamp;
                return new Change(restarted, lines);
            }
        } catch (IOException e) {
            return restart(); // deleted, or not readable
        }
    }

    private Change restart() {
        boolean had = position > 0;
        seen = null;
        position = 0;
        lastLine = new byte[0];
        return had ? new Change(true, List.of()) : Change.NONE;
    }

    private boolean continues(FileChannel channel) throws IOException {
        return Arrays.equals(bytes(channel, position - lastLine.length, lastLine.length), lastLine);
    }

    private List<String> append(FileChannel channel) throws IOException {
        byte[] more = bytes(channel, position, (int) Math.min(MAX_READ_BYTES, Math.max(0, channel.size() - position)));
        int end = more.length;
        while (end > 0 && more[end - 1] != '\n') {
            end--;
        }
        if (end == 0) {
            return List.of();
        }
        int start = end - 1;
        while (start > 0 && more[start - 1] != '\n') {
            start--;
        }
        lastLine = Arrays.copyOfRange(more, start, end);
        position += end;
        return new String(more, 0, end, UTF_8).lines().toList();
    }

    private static byte[] bytes(FileChannel channel, long from, int count) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(count);
        while (buffer.hasRemaining() && channel.read(buffer, from + buffer.position()) >= 0) {
            // until the buffer is full or the file ends
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
