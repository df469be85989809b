package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.app.run.RunDirectory;
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

/**
 * The folder that is served. A client names a run by an id, which is looked up among those that were found here; no path ever
 * comes from a client. Links are not followed on the way, and a file is read only if it is in this folder once all links are
 * resolved.
 */
final class ServedFolder {
    private static final int DEPTH = 8;
    /** Somebody may serve a home folder by mistake. */
    private static final int MOST_FOLDERS = 20_000;
    /** What SQLite keeps beside a database: its log, the log's index, and the log of another mode. */
    private static final List<String> COMPANIONS = List.of("-wal", "-shm", "-journal");

    private final Path root;

    /** @param root need not be there yet */
    ServedFolder(Path root) {
        this.root = root.toAbsolutePath().normalize();
    }

    Path root() {
        return root;
    }

    /**
     * The runs under the folder, or the one that it is; none if it is not there.
     *
     * @throws UncheckedIOException if it cannot be looked at now
     */
    List<ServedRun> find() {
        List<Path> found = new ArrayList<>();
        try {
            if (!Files.exists(root)) {
                return List.of(); // not there yet, or gone
            }
            Path real = root.toRealPath();
            Files.walkFileTree(real, Set.of(), DEPTH, new Finder(real, found));
            return found.stream()
                    .map(folder -> run(real, folder))
                    .sorted(Comparator.comparing(ServedRun::name))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a file really is; empty if there is none, or it is elsewhere. */
    Optional<Path> served(Path file) {
        try {
            Path real = file.toRealPath();
            return real.startsWith(root.toRealPath()) ? Optional.of(real) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /**
     * Where a database really is; empty if there is none, or it or a file that SQLite keeps beside it is elsewhere. SQLite opens
     * those by their names, and writes to the log's index even to read.
     */
    Optional<Path> servedDatabase(Path file) {
        return served(file)
                .filter(real -> COMPANIONS.stream()
                        .map(end -> real.resolveSibling(real.getFileName() + end))
                        .allMatch(beside -> !Files.exists(beside, LinkOption.NOFOLLOW_LINKS)
                                || served(beside).isPresent()));
    }

    /** Whether a file's place is in this folder, and nothing is there, not even a link. */
    boolean lacks(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent != null && served(parent).isPresent() && !Files.exists(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The text without the place of this folder, which is nobody's business. */
    String withoutPlace(String text) {
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

    /** Letters, digits and a few signs stay; every other byte becomes {@code =XX}. */
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
        private final List<Path> found;
        private int folders;

        Finder(Path root, List<Path> found) {
            this.root = root;
            this.found = found;
        }

        @Override
        public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (++folders > MOST_FOLDERS) {
                return FileVisitResult.TERMINATE;
            }
            if (!folder.equals(root) && folder.getFileName().toString().startsWith(".")) {
                return FileVisitResult.SKIP_SUBTREE;
            }
            if (!new RunDirectory(folder).holdsRun()) {
                return FileVisitResult.CONTINUE;
            }
            found.add(folder);
            return FileVisitResult.SKIP_SUBTREE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE; // what may not be read holds no run of ours
        }
    }
}
