package dev.pgkq.mujoco;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of libraries that exists completely or not at all.
 *
 * <p>It is built in a folder next to it, which is renamed at the end. If several processes build it at once, one wins and all
 * can use the result. A manifest of names and sizes distinguishes a complete folder from one with deleted files.
 */
final class LibraryFolder {
    /** Name of the file with one file name and size per line. */
    static final String MANIFEST = "files.txt";

    private static final Duration ABANDONED = Duration.ofDays(1);
    private static final int ATTEMPTS = 3;

    /** Provides the files for the folder. */
    @FunctionalInterface
    interface Maker {
        /** Returns the files to copy. The scratch folder is deleted afterwards. */
        List<Path> make(Path scratch) throws IOException;
    }

    private final Path path;

    LibraryFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    Path path() {
        return path;
    }

    /** Returns whether every file of the manifest is there, with the right size. */
    boolean isComplete() {
        try {
            List<String> manifest = Files.readAllLines(path.resolve(MANIFEST));
            for (String line : manifest) {
                String[] nameAndSize = line.split(" ", 2);
                if (Files.size(path.resolve(nameAndSize[0])) != Long.parseLong(nameAndSize[1])) {
                    return false;
                }
            }
            return !manifest.isEmpty();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    /** Creates the folder unless another process is faster. Replaces an incomplete folder. */
    void make(Maker maker) throws IOException {
        Path parent = Files.createDirectories(path.resolveSibling("."));
        String prefix = path.getFileName() + ".partial-";
        removeAbandoned(parent, prefix);
        Path scratch = Files.createTempDirectory(parent, prefix);
        try {
            publish(copy(maker.make(scratch), scratch.resolve("complete")), scratch);
        } finally {
            remove(scratch);
        }
    }

    private static Path copy(List<Path> files, Path into) throws IOException {
        Files.createDirectory(into);
        List<String> manifest = new ArrayList<>();
        for (Path file : files) {
            Files.copy(file, into.resolve(file.getFileName()));
            manifest.add(file.getFileName() + " " + Files.size(file));
        }
        Files.write(into.resolve(MANIFEST), manifest);
        return into;
    }

    private void publish(Path made, Path scratch) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (FileSystemException e) {
                if (isComplete()) {
                    return;
                }
                if (attempt == ATTEMPTS) {
                    throw e;
                }
                putAside(scratch.resolve("broken-" + attempt));
            }
        }
    }

    private void putAside(Path broken) throws IOException {
        if (Files.exists(path)) {
            Files.move(path, broken, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Deletes scratch folders of killed processes. Failures are ignored: the next call tries again. */
    private static void removeAbandoned(Path parent, String prefix) {
        Instant limit = Instant.now().minus(ABANDONED);
        try (Stream<Path> all = Files.list(parent)) {
            for (Path each : all.filter(one -> one.getFileName().toString().startsWith(prefix))
                    .toList()) {
                removeIfOlder(each, limit);
            }
        } catch (IOException | UncheckedIOException e) {
            return;
        }
    }

    private static void removeIfOlder(Path folder, Instant limit) {
        try {
            if (Files.getLastModifiedTime(folder).toInstant().isBefore(limit)) {
                remove(folder);
            }
        } catch (IOException | UncheckedIOException e) {
            return; // its owner or another process is removing it
        }
    }

    private static void remove(Path folder) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> all = Files.walk(folder)) {
            deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path each : deepestFirst) {
            Files.deleteIfExists(each);
        }
    }
}
