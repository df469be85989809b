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
 * A file that grows by lines. Looking at it costs one call to the system while nothing changed; otherwise only what was
 * appended is read, and the last line before it, which tells whether this is still the same file: resuming a run replaces
 * its metrics by fewer rows.
 */
final class FileTail {
    private static final int MOST_AT_ONCE = 4 << 20;

    private final Path file;
    private final Function<Path, Optional<Path>> allowed;
    private @Nullable Stamp seen;
    private long position;
    private byte[] lastLine = new byte[0];

    /** What changes when a file does. */
    private record Stamp(long size, long modified, @Nullable Object key) {}

    /**
     * What is new.
     *
     * @param restarted whether the file is another than before: all of it is new
     * @param lines whole ones only
     */
    record News(boolean restarted, List<String> lines) {
        static final News NONE = new News(false, List.of());
    }

    /** @param allowed where a file may be read; asked whenever it changed */
    FileTail(Path file, Function<Path, Optional<Path>> allowed) {
        this.file = file;
        this.allowed = allowed;
    }

    /** When it was last written, in milliseconds; 0 if there is none. */
    long modified() {
        return seen == null ? 0 : seen.modified;
    }

    News read() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            Stamp stamp = new Stamp(now.size(), now.lastModifiedTime().toMillis(), now.fileKey());
            if (stamp.equals(seen)) {
                return News.NONE;
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
                // More than was read at once is there: it is looked at again.
                seen = position + MOST_AT_ONCE <= stamp.size ? null : stamp;
                return new News(restarted, lines);
            }
        } catch (IOException e) {
            return restart(); // gone, or not ours to read
        }
    }

    private News restart() {
        boolean had = position > 0;
        seen = null;
        position = 0;
        lastLine = new byte[0];
        return had ? new News(true, List.of()) : News.NONE;
    }

    private boolean continues(FileChannel channel) throws IOException {
        return Arrays.equals(bytes(channel, position - lastLine.length, lastLine.length), lastLine);
    }

    private List<String> append(FileChannel channel) throws IOException {
        byte[] more = bytes(channel, position, (int) Math.min(MOST_AT_ONCE, Math.max(0, channel.size() - position)));
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
            // until all is there, or the file ends
        }
        return Arrays.copyOf(buffer.array(), buffer.position());
    }
}
