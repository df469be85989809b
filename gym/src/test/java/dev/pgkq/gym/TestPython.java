package dev.pgkq.gym;

import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * The Python of the tests, with Gymnasium and ONNX Runtime: that of the variable {@code PGKQ_TEST_PYTHON}, or else a virtual environment that the
 * first test makes in {@code gym/target}. Without Python or a network, tests that need it are skipped.
 */
public final class TestPython {
    private static final Path VENV =
            Path.of("..", "gym", "target", "venv").toAbsolutePath().normalize();
    private static final Path READY = VENV.resolve("ready-for-onnx");
    /** Why there is none, so that only the first test waits for it. */
    private static String failure = "";

    private TestPython() {}

    /** The interpreter; skips the test if there is none. */
    public static synchronized String withGymnasium() {
        String given = System.getenv("PGKQ_TEST_PYTHON");
        if (given != null && !given.isEmpty()) {
            return given;
        }
        try {
            if (failure.isEmpty() && !Files.exists(READY)) {
                make();
            }
        } catch (IOException e) {
            failure = "skipped without Python, Gymnasium and ONNX Runtime: " + e.getMessage();
        }
        if (!failure.isEmpty()) {
            return abort(failure);
        }
        return VENV.resolve("bin/python").toString();
    }

    /** Tests of two modules may be here at once. */
    private static void make() throws IOException {
        Files.createDirectories(VENV.getParent());
        Path lock = VENV.resolveSibling("venv.lock");
        try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock held = channel.lock()) {
            if (held.isValid() && !Files.exists(READY)) {
                run("python3", "-m", "venv", VENV.toString());
                run(
                        VENV.resolve("bin/pip").toString(),
                        "install",
                        "-q",
                        "gymnasium>=1.0",
                        "numpy",
                        "onnx",
                        "onnxruntime");
                Files.createFile(READY);
            }
        }
    }

    private static void run(String... command) throws IOException {
        Process process = new ProcessBuilder(List.of(command))
                .redirectErrorStream(true)
                .redirectOutput(VENV.resolveSibling("venv.log").toFile())
                .start();
        try {
            if (process.waitFor() != 0) {
                throw new IOException(String.join(" ", command) + " failed; see " + VENV.resolveSibling("venv.log"));
            }
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
