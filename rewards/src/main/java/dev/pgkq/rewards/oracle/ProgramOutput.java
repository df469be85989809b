package dev.pgkq.rewards.oracle;

import dev.pgkq.platform.NamedPipe;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The standard output of a program, up to a limit. It ends when the program does: a background process that holds it open is not
 * waited for.
 *
 * <p>Java's own pipes cannot do this. When a program ends, a thread of Java's reads the rest of its pipe, in competition with any
 * other reader, which may then wait until the last process has closed the pipe. This one is a {@linkplain NamedPipe named pipe}
 * with a single reader that never reads more than there is. Where there are no named pipes, it is a file.
 */
final class ProgramOutput implements AutoCloseable {
    /** How often to look for output while the program runs. A pipe holds 64 kB meanwhile. */
    private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

    private static final Duration SHORT_POLL_INTERVAL = Duration.ofMillis(1);

    private final Path path;
    private final int limit;
    private final RandomAccessFile bothEnds;
    private final FileInputStream in;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean overflowed;

    /**
     * Creates the pipe; {@link #forget} removes it from its folder.
     *
     * @param limit the most bytes to read
     */
    ProgramOutput(Path path, int limit) throws IOException {
        this.path = path;
        this.limit = limit;
        Files.deleteIfExists(path);
        NamedPipe.make(path);
        // open for writing as well, so that opening waits for nobody
        this.bothEnds = new RandomAccessFile(path.toFile(), "rw");
        this.in = new FileInputStream(bothEnds.getFD());
    }

    /** The file to which the program's standard output is redirected. */
    Path path() {
        return path;
    }

    /** Removes the name of the pipe: the program has started, and nobody else should open it. */
    void forget() {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // Some systems do not delete open files; tried again at the end.
        }
    }

    /**
     * Reads until the process ends or there is more than the limit.
     *
     * @return whether that happened in time
     */
    boolean readUntilEnd(Process process, Duration timeout) throws IOException, InterruptedException {
        long start = System.nanoTime();
        Duration pause = SHORT_POLL_INTERVAL;
        while (true) {
            Duration left = timeout.minusNanos(System.nanoTime() - start);
            boolean ended = process.waitFor(left.compareTo(pause) < 0 ? left : pause);
            // all that the program wrote is in the pipe when it has ended
            boolean found = read();
            if (ended || overflowed) {
                return true;
            }
            if (!left.isPositive()) {
                return false;
            }
            pause = found ? SHORT_POLL_INTERVAL : POLL_INTERVAL;
        }
    }

    private boolean read() throws IOException {
        boolean found = false;
        byte[] buffer = new byte[8192];
        for (int count = in.available(); count > 0 && !overflowed; count = in.available()) {
            int taken = in.read(buffer, 0, Math.min(count, buffer.length));
            overflowed = bytes.size() + taken > limit;
            bytes.write(buffer, 0, Math.max(0, taken));
            found = true;
        }
        return found;
    }

    boolean overflowed() {
        return overflowed;
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    @Override
    public void close() {
        try {
            bothEnds.close();
        } catch (IOException e) {
            // Everything has been read.
        }
        forget();
    }
}
