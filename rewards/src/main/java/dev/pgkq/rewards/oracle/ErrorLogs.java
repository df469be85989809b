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
 * The standard error of programs, one file per evaluation, within limits of number and size. Files of successful evaluations are
 * deleted before those of failed ones, and older files before newer ones.
 *
 * @param folder folder of the files
 * @param bytes maximum total size
 * @param count maximum number of files
 */
record ErrorLogs(Path folder, long bytes, int count) {
    static final String SUFFIX = ".stderr";

    /** With the default limits. */
    static ErrorLogs in(Path folder) {
        return new ErrorLogs(folder, 64L << 20, 1000);
    }

    Path file(String name) {
        return folder.resolve(name + SUFFIX);
    }

    private record Log(Path file, boolean running, boolean failed, long size, long time) {}

    /**
     * Deletes files beyond the limits. Files that cannot be deleted stay.
     *
     * @param running names of evaluations that are running
     * @param failed whether the evaluation of a name has failed
     */
    synchronized void prune(Set<String> running, Predicate<String> failed) {
        // a snapshot: other threads continue meanwhile
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
            // Another process deletes files, too; try again next time.
        }
        return logs;
    }
}
