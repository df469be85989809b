package dev.pgkq.rewards.oracle;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/** What a program answers, up to a limit. */
final class BoundedOutput {
    private final int limit;
    private final Runnable onOverflow;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean overflowed;

    /**
     * @param onOverflow called once, when the limit is passed: nobody reads on, so the program would wait for ever
     */
    BoundedOutput(int limit, Runnable onOverflow) {
        this.limit = limit;
        this.onOverflow = onOverflow;
    }

    /** Reads until the other side is closed, or the limit is passed. */
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
            // The process was killed; whoever did it knows.
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
