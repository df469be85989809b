package dev.pgkq.gym;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The file to which a worker appends what its environments print.
 *
 * @param file the file
 * @param temporary whether it is deleted when its worker ends without an error
 * @param start the size that it had before the worker was started
 */
record WorkerLog(Path file, boolean temporary, long start) {
    private static final int TAIL_BYTES = 4096;
    private static final int TAIL_LINES = 8;

    static WorkerLog open(Optional<Path> given) {
        try {
            Path file = given.isPresent() ? given.get() : Files.createTempFile("pgkq-python-", ".log");
            return new WorkerLog(file, given.isEmpty(), Files.exists(file) ? Files.size(file) : 0);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot create a log for Python workers", e);
        }
    }

    /** Adds a line. That the log cannot be written is no reason to stop. */
    void note(String line) {
        try {
            Files.writeString(
                    file,
                    "pgkq: " + line + System.lineSeparator(),
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            return;
        }
    }

    /** The last lines that were written since the worker started, each indented; empty if there are none. */
    String tail() {
        try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
            long from = Math.max(start, log.length() - TAIL_BYTES);
            byte[] bytes = new byte[(int) Math.max(0, log.length() - from)];
            log.seek(from);
            log.readFully(bytes);
            List<String> lines = new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
            return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()).stream()
                    .map(line -> System.lineSeparator() + "  " + line)
                    .collect(Collectors.joining());
        } catch (IOException e) {
            return "";
        }
    }

    void deleteIfTemporary() {
        try {
            if (temporary) {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            file.toFile().deleteOnExit();
        }
    }
}
