package dev.pgkq.rewards.oracle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What programs wrote to standard error, a file for each evaluation, as long as all together are not too many: those of
 * evaluations that failed go last, and of each kind the oldest first.
 *
 * @param folder has the files
 * @param bytes how large they may be together
 * @param count how many there may be
 */
record ErrorLogs(Path folder, long bytes, int count) {
    static final String SUFFIX = ".stderr";

    /** The usual limits; a run of many thousand evaluations stays within them. */
    static ErrorLogs in(Path folder) {
        return new ErrorLogs(folder, 64L << 20, 1000);
    }

    Path file(String name) {
        return folder.resolve(name + SUFFIX);
    }

    private record Log(Path file, boolean running, boolean failed, long size, long time) {}

    /**
     * Deletes what is too much. What cannot be deleted stays.
     *
     * @param running names of evaluations whose files are being written
     * @param failed tells those whose files matter more
     */
    synchronized void prune(Set<String> running, Predicate<String> failed) {
        // as it is at one moment: others go on meanwhile
        List<Log> logs = logs(Set.copyOf(running), failed);
        if (logs.size() <= count && logs.stream().mapToLong(Log::size).sum() <= bytes) {
            return;
        }
        logs.sort(Comparator.comparing((Log log) -> !log.running)
                .thenComparing(log -> !log.failed)
                .thenComparing(Comparator.comparingLong(Log::time).reversed()));
        long size = 0;
        for (int i = 0; i < logs.size(); i++) {
            Log log = logs.get(i);
            size += log.size;
            if ((i >= count || size > bytes) && !log.running) {
                try {
                    Files.deleteIfExists(log.file);
                } catch (IOException e) {
                    // See above.
                }
            }
        }
    }

    private List<Log> logs(Set<String> running, Predicate<String> failed) {
        List<Log> logs = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String fileName = String.valueOf(file.getFileName());
                if (fileName.endsWith(SUFFIX)) {
                    String name = fileName.substring(0, fileName.length() - SUFFIX.length());
                    logs.add(new Log(
                            file,
                            running.contains(name),
                            failed.test(name),
                            Files.size(file),
                            Files.getLastModifiedTime(file).toMillis()));
                }
            }
        } catch (IOException | UncheckedIOException e) {
            // Somebody else deletes, too: the next time.
        }
        return logs;
    }
}
