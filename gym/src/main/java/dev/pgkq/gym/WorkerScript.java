package dev.pgkq.gym;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The Python file that workers run, written to a temporary file. */
final class WorkerScript {
    private static @Nullable Path file;

    private WorkerScript() {}

    /** Returns the file; writes it again if something deleted it in the meantime. */
    static synchronized Path file() {
        Path written = file;
        if (written != null && Files.isRegularFile(written)) {
            return written;
        }
        try (InputStream source = WorkerScript.class.getResourceAsStream("worker.py")) {
            if (source == null) {
                throw new IllegalStateException("worker.py is not on the class path");
            }
            written = Files.createTempFile("pgkq-worker-", ".py");
            Files.write(written, source.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write a temporary file for Python workers", e);
        }
        written.toFile().deleteOnExit();
        file = written;
        return written;
    }
}
