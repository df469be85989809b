package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.advise.AdviserArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The folder that is served. A client names a run by an id, which is looked up among the runs found here; no path ever
 * comes from a client. The search follows no symbolic links, and a file is read only if it is in this folder after all
 * links are resolved.
 */
final class ServedFolder {
    private static final int MAX_DEPTH = 8;
    /** Bounds the search in case a home folder is served by mistake. */
    private static final int MAX_FOLDERS = 20_000;
    /** Suffixes of the files that SQLite keeps beside a database: write-ahead log, its index, and rollback journal. */
    private static final List<String> SQLITE_SUFFIXES = List.of("-wal", "-shm", "-journal");

    private final Path root;

    /** @param root need not exist yet */
    ServedFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    Path root() {
        return root;
    }

    /**
     * Finds the runs in the folder, which may itself be a run; none if it does not exist.
     *
     * @throws UncheckedIOException if the folder cannot be read
     */
    List<ServedRun> findRuns() {
        return find(folder -> new RunDirectory(folder).holdsRun());
    }

    /**
     * Finds the advisers in the folder, which may itself be that of one; none if it does not exist.
     *
     * @throws UncheckedIOException if the folder cannot be read
     */
    List<ServedRun> findAdvisers() {
        return find(AdviserArchive::isIn);
    }

    private List<ServedRun> find(Predicate<Path> wanted) {
        List<Path> found = new ArrayList<>();
        try {
            if (!Files.exists(root)) {
                return List.of(); // not yet created, or deleted
            }
            Path real = root.toRealPath();
            Files.walkFileTree(real, Set.of(), MAX_DEPTH, new Finder(real, wanted, found));
            return found.stream()
                    .map(folder -> run(real, folder))
                    .sorted(Comparator.comparing(ServedRun::name))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The real path of a file; empty if it does not exist or is outside the folder. */
    Optional<Path> served(Path file) {
        try {
            Path real = file.toRealPath();
            return real.startsWith(root.toRealPath()) ? Optional.of(real) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * The real path of a database; empty if it does not exist, or if it or a file that SQLite keeps beside it is outside the
     * folder. SQLite opens those files by name, and writes to the index of the log even when it only reads.
     */
    Optional<Path> servedDatabase(Path file) {
        return served(file)
                .filter(real -> SQLITE_SUFFIXES.stream()
                        .map(suffix -> real.resolveSibling(real.getFileName() + suffix))
                        .allMatch(beside -> !Files.exists(beside, LinkOption.NOFOLLOW_LINKS)
                                || served(beside).isPresent()));
    }

    /** Whether a file would be in this folder but does not exist, not even as a link. */
    boolean isMissing(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent != null && served(parent).isPresent() && !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** Removes this folder's absolute path from a text, because clients must not see it. */
    String withoutRoot(String text) {
        String shown = text.replace(root + "/", "").replace(root.toString(), ".");
        try {
            Path real = root.toRealPath();
            return shown.replace(real + "/", "").replace(real.toString(), ".");
        } catch (IOException e) {
            return shown;
        }
    }

    private static ServedRun run(Path root, Path folder) {
        Path inside = root.equals(folder) ? Path.of(String.valueOf(root.getFileName())) : root.relativize(folder);
        List<String> names = new ArrayList<>();
        inside.forEach(part -> names.add(part.toString()));
        return new ServedRun(
                String.join("~", names.stream().map(ServedFolder::escaped).toList()),
                String.join("/", names),
                new RunDirectory(folder));
    }

    /** Keeps letters, digits and {@code -_.}; replaces every other byte with {@code =XX}. */
    private static String escaped(String name) {
        StringBuilder text = new StringBuilder();
        for (byte b : name.getBytes(UTF_8)) {
            char c = (char) (b & 0xff);
            if (c < 128 && (Character.isLetterOrDigit(c) || c == '-' || c == '_' || c == '.')) {
                text.append(c);
            } else {
                text.append('=').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        return text.toString();
    }

    private static final class Finder extends SimpleFileVisitor<Path> {
        private final Path root;
        private final Predicate<Path> wanted;
        private final List<Path> found;
        private int folders;

        Finder(Path root, Predicate<Path> wanted, List<Path> found) {
            this.root = root;
            this.wanted = wanted;
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (++folders > MAX_FOLDERS) {
                return FileVisitResult.TERMINATE;
            }
            if (!folder.equals(root) && folder.getFileName().toString().startsWith(".")) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (!wanted.test(folder)) {
                return FileVisitResult.CONTINUE;
            }
            found.add(folder);
            return FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // unreadable folders are skipped
        }
    }
}
