package dev.pgkq.rewards.oracle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** Collects the standard output of a program up to a limit. */
final class BoundedOutput {
    private final int limit;
    private final Runnable onOverflow;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean overflowed;

    /**
     * @param onOverflow called once when the limit is exceeded: nothing is read any more, so the program would block forever
     */
    BoundedOutput(int limit, Runnable onOverflow) {
        this.limit = limit;
        this.onOverflow = onOverflow;
    }

    /** Reads until the stream ends or the limit is exceeded. */
    void drain(InputStream in) {
        byte[] buffer = new byte[8192];
        try {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (!add(buffer, count)) {
                    onOverflow.run();
                    return;
                }
            }
        } catch (IOException e) {
            // The process was killed, which is reported elsewhere.
        }
    }

    private synchronized boolean add(byte[] buffer, int count) {
        overflowed = bytes.size() + count > limit;
        if (!overflowed) {
            bytes.write(buffer, 0, count);
        }
        return !overflowed;
    }

    synchronized boolean overflowed() {
        return overflowed;
    }

    synchronized byte[] bytes() {
        return bytes.toByteArray();
    }
}
