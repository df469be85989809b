package dev.pgkq.rewards.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Writes the standard error of a program to a file: the beginning and the end, without what lies between if it is long. A program
 * that writes nothing leaves no file. The log is a convenience: a full disk does not stop the program.
 */
final class BoundedLog implements AutoCloseable {
    static final int HEAD = 960 << 10;
    static final int TAIL = 64 << 10;

    private final Path file;
    private final byte[] tail = new byte[TAIL];
    private long total;
    private @Nullable OutputStream out;
    private boolean broken;

    BoundedLog(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Reads until the stream ends. */
    void drain(InputStream in) {
        byte[] buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                add(buffer, count);
            }
        } catch (IOException e) {
            // The process was killed; its output so far is kept.
        }
    }

    private synchronized void add(byte[] buffer, int count) {
        int head = Math.clamp(HEAD - total, 0, count);
        write(buffer, 0, head);
        for (int i = head; i < count; i++) {
            tail[(int) ((total + i - HEAD) % TAIL)] = buffer[i];
        }
        total += count;
    }

    private void write(byte[] bytes, int offset, int count) {
        if (broken || count == 0) {
            return;
        }
        try {
            if (out == null) {
                out = Files.newOutputStream(file);
            }
            out.write(bytes, offset, count);
        } catch (IOException e) {
            broken = true;
        }
    }

    /** The end of the output, for a message. */
    synchronized String end() {
        if (total > HEAD) {
            return new String(orderedTail(), UTF_8);
        }
        try {
            byte[] all = total == 0 ? new byte[0] : Files.readAllBytes(file);
            int kept = Math.min(TAIL, all.length);
            return new String(all, all.length - kept, kept, UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private byte[] orderedTail() {
        long beyond = total - HEAD;
        int kept = (int) Math.min(TAIL, beyond);
        byte[] ordered = new byte[kept];
        for (int i = 0; i < kept; i++) {
            ordered[i] = tail[(int) ((beyond - kept + i) % TAIL)];
        }
        return ordered;
    }

    /** Appends the end of the output to its beginning. */
    @Override
    public synchronized void close() {
        if (total > HEAD) {
            long left = total - HEAD - Math.min(TAIL, total - HEAD);
            byte[] gap = ("\n… " + left + " bytes omitted …\n").getBytes(UTF_8);
            write(gap, 0, left > 0 ? gap.length : 0);
            byte[] end = orderedTail();
            write(end, 0, end.length);
        }
        broken = true; // nothing is written after the end
        try {
            if (out != null) {
                out.close();
            }
        } catch (IOException e) {
            // The file has as much as the disk could take.
        }
    }
}
