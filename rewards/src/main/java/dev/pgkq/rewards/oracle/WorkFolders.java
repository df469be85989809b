package dev.pgkq.rewards.oracle;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Working directories, one per evaluation: deleted after a success, kept after a failure for inspection. Only the newest are kept,
 * so that a program that always fails does not fill the disk. A directory in use is never deleted.
 */
final class WorkFolders {
    /** Enough to inspect the last failures; the first one is reported at once. */
    static final int KEPT = 100;

    private final Path parent;
    private final int most;
    private final Set<Path> inUse = new HashSet<>();

    /** @param most maximum number of directories of failed evaluations */
    WorkFolders(Path parent, int most) {
        this.parent = parent.toAbsolutePath();
        this.most = most;
    }

    /** Creates a new folder; one of this name may exist if a killed process made the same attempt. */
    synchronized Path make(String name) throws IOException {
        Files.createDirectories(parent);
        for (int i = 1; ; i++) {
            Path place = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                Files.createDirectory(place);
                inUse.add(place);
                return place;
            } catch (FileAlreadyExistsException e) {
                // Try the next name.
            }
        }
    }

    /** Deletes the folder of a successful evaluation. */
    void remove(Path place) {
        WorkFolder.delete(place);
        release(place);
    }

    /** Keeps a folder, if it still exists, and deletes the oldest of those that were kept. */
    void keep(Path place) {
        release(place);
        tooOld().forEach(WorkFolder::delete);
    }

    private synchronized void release(Path place) {
        inUse.remove(place);
    }

    private synchronized List<Path> tooOld() {
        record KeptFolder(Path path, long lastModified) {}
        List<KeptFolder> kept = new ArrayList<>();
        try (Stream<Path> folders = Files.list(parent)) {
            for (Path folder : folders.filter(folder -> !inUse.contains(folder)).toList()) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    kept.add(new KeptFolder(
                            folder, Files.getLastModifiedTime(folder).toMillis()));
                }
            }
        } catch (IOException e) {
            return List.of(); // Another process deletes folders, too; try again next time.
        }
        return kept.stream()
                .sorted(Comparator.comparingLong(KeptFolder::lastModified)
                        .reversed()
                        .thenComparing(KeptFolder::path))
                .skip(most)
                .map(KeptFolder::path)
                .toList();
    }
}
