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
 * Working directories, one for each evaluation: gone when all went well, kept when not, so that somebody can look. Of those the
 * newest are kept: a program that fails always would fill a disk with them. One that is in use is never removed.
 */
final class WorkFolders {
    /** Of many failures the first and the last few are looked at, and the first is told on the screen. */
    static final int KEPT = 100;

    private final Path parent;
    private final int most;
    private final Set<Path> inUse = new HashSet<>();

    /** @param most how many of failed evaluations are kept */
    WorkFolders(Path parent, int most) {
        this.parent = parent.toAbsolutePath();
        this.most = most;
    }

    /** A folder that was not there before: the same attempt may have been made by a process that was killed. */
    synchronized Path make(String name) throws IOException {
        Files.createDirectories(parent);
        for (int i = 1; ; i++) {
            Path place = parent.resolve(i == 1 ? name : name + "-" + i);
            try {
                Files.createDirectory(place);
                inUse.add(place);
                return place;
            } catch (FileAlreadyExistsException e) {
                // The next one, then.
            }
        }
    }

    /** Removes one in which all went well. */
    void remove(Path place) {
        WorkFolder.delete(place);
        release(place);
    }

    /** Keeps one, if it is still there, and removes the oldest of those that were kept. */
    void keep(Path place) {
        release(place);
        tooOld().forEach(WorkFolder::delete);
    }

    private synchronized void release(Path place) {
        inUse.remove(place);
    }

    private synchronized List<Path> tooOld() {
        record Kept(Path folder, long time) {}
        List<Kept> kept = new ArrayList<>();
        try (Stream<Path> folders = Files.list(parent)) {
            for (Path folder : folders.filter(folder -> !inUse.contains(folder)).toList()) {
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
                    kept.add(new Kept(folder, Files.getLastModifiedTime(folder).toMillis()));
                }
            }
        } catch (IOException e) {
            return List.of(); // Somebody else deletes, too: the next time.
        }
        return kept.stream()
                .sorted(Comparator.comparingLong(Kept::time).reversed().thenComparing(Kept::folder))
                .skip(most)
                .map(Kept::folder)
                .toList();
    }
}
