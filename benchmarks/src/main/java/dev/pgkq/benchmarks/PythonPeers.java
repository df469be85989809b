package dev.pgkq.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Processes that run {@code bridge_peers.py}, all at once. */
final class PythonPeers implements AutoCloseable {
    private static final String SCRIPT = "bridge_peers.py";
    /** As pgkq's own workers have it. */
    private static final Map<String, String> ONE_THREAD =
            Map.of("OMP_NUM_THREADS", "1", "OPENBLAS_NUM_THREADS", "1", "MKL_NUM_THREADS", "1");

    private final Path folder;
    private final List<RoundProcess> processes = new ArrayList<>();

    /** Starts so many processes, and waits until they are ready. */
    PythonPeers(String python, int count, Object... arguments) {
        try (InputStream source = PythonPeers.class.getResourceAsStream(SCRIPT)) {
            if (source == null) {
                throw new IOException("missing resource " + SCRIPT);
            }
            folder = Scratch.folder();
            Path script = folder.resolve(SCRIPT);
            Files.copy(source, script);
            List<String> command = new ArrayList<>(List.of(python, script.toString()));
            for (Object argument : arguments) {
                command.add(argument.toString());
            }
            for (int i = 0; i < count; i++) {
                processes.add(new RoundProcess(SCRIPT, command, ONE_THREAD));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        processes.forEach(RoundProcess::line);
    }

    /** One round of all of them. */
    void round() {
        processes.forEach(RoundProcess::go);
        processes.forEach(RoundProcess::line);
    }

    @Override
    public void close() {
        processes.forEach(RoundProcess::close);
        try {
            Scratch.remove(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
