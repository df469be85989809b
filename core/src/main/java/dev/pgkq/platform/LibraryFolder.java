package dev.pgkq.platform;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/**
 * A folder of native libraries in the user's cache, which exists completely or not at all.
 *
 * <p>It is built in a folder next to it, which is renamed at the end. If several processes build it at once, one wins and all
 * can use the result. A manifest has the hash of every file, taken when it came from its source. A library that has changed since
 * is not loaded: a truncated one would end the process. Nor is one that other users can change, since it runs as this user.
 */
public final class LibraryFolder {
    /** Name of the file with one hash and file name per line, which {@code sha256sum -c} reads. */
    static final String MANIFEST = "SHA256SUMS";

    private static final String BETWEEN = "  ";
    private static final Duration ABANDONED = Duration.ofDays(1);
    private static final int ATTEMPTS = 3;

    /** Provides the files for the folder. */
    @FunctionalInterface
    public interface Maker {
        /**
         * Provides the files.
         *
         * @param scratch an empty folder for them, which is deleted afterwards
         * @return the files that the folder should have
         * @throws IOException if they cannot be provided
         */
        List<Path> make(Path scratch) throws IOException;
    }

    private final Path path;

    /**
     * Creates a view of a folder, which need not exist.
     *
     * @param path of the folder
     */
    public LibraryFolder(Path path) {
        this.path = path.toAbsolutePath().normalize();
    }

    /** {@return the absolute path} */
    public Path path() {
        return path;
    }

    /** {@return why the libraries must not be loaded; empty if they can be} */
    public String problem() {
        try {
            List<String> manifest = Files.readAllLines(path.resolve(MANIFEST));
            OwnFile.require(path.resolveSibling("."));
            OwnFile.require(path);
            OwnFile.require(path.resolve(MANIFEST));
            for (String line : manifest) {
                String[] hashAndName = line.split(BETWEEN, 2);
                Path file = path.resolve(hashAndName[1]);
                OwnFile.require(file);
                if (!hash(file).equals(hashAndName[0])) {
                    return file.getFileName() + " is damaged";
                }
            }
            return manifest.isEmpty() ? MANIFEST + " is damaged" : "";
        } catch (NoSuchFileException e) {
            return Files.exists(path) ? "incomplete, so not used" : "does not exist";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (RuntimeException e) {
            return MANIFEST + " is damaged";
        }
    }

    private static String hash(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file);
                DigestInputStream digest = new DigestInputStream(in, MessageDigest.getInstance("SHA-256"))) {
            byte[] buffer = new byte[1 << 16];
            while (digest.read(buffer) >= 0) {
                // reading is what counts
            }
            return HexFormat.of().formatHex(digest.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /**
     * Creates the folder unless another process is faster. Replaces one that must not be used.
     *
     * @param maker provides its files
     * @throws IOException if that fails, or if other users could change the folder
     */
    public void make(Maker maker) throws IOException {
        Path parent = OwnFile.createFolders(path.resolveSibling("."));
        OwnFile.require(parent);
        String prefix = path.getFileName() + ".partial-";
        removeAbandoned(parent, prefix);
        Path scratch = Files.createTempDirectory(parent, prefix);
        try {
            publish(collect(maker.make(scratch), scratch.resolve("complete")), scratch);
        } finally {
            remove(scratch);
        }
    }

    private static Path collect(List<Path> files, Path into) throws IOException {
        OwnFile.createFolders(into);
        List<String> manifest = new ArrayList<>();
        for (Path file : files) {
            Path copy = Files.copy(file, into.resolve(file.getFileName()));
            OwnFile.protect(copy);
            manifest.add(hash(copy) + BETWEEN + copy.getFileName());
        }
        OwnFile.protect(Files.write(into.resolve(MANIFEST), manifest));
        return into;
    }

    private void publish(Path made, Path scratch) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                Files.move(made, path, StandardCopyOption.ATOMIC_MOVE);
                return;
            } catch (FileSystemException e) {
                if (problem().isEmpty()) {
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
