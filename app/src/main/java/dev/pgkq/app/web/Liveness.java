package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether somebody trains in a run directory. Whoever does holds a lock on its {@code .lock}. To try that lock would mean to
 * open the file, and a process that closes a file loses its locks on it, which may be ours: so the system's list of locks is
 * read instead. Where there is none, and for processes that this one cannot see, a run that wrote something a short while ago
 * counts as running.
 */
final class Liveness {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final Duration WHERE_LOCKS_ARE_SEEN = Duration.ofSeconds(10);
    private static final Duration ELSEWHERE = Duration.ofMinutes(10);
    private static final Duration KEPT = Duration.ofMillis(500);

    private final InstantSource clock;
    private Optional<Set<String>> locked = Optional.empty();
    private long read;

    Liveness(InstantSource clock) {
        this.clock = clock;
    }

    /** @param written when the run last wrote something, in milliseconds */
    boolean runs(RunDirectory directory, long written) {
        Optional<Set<String>> inodes = locked();
        long age = clock.millis() - written;
        if (inodes.isEmpty()) {
            return age < ELSEWHERE.toMillis();
        }
        return age < WHERE_LOCKS_ARE_SEEN.toMillis() || inodes.get().contains(inode(directory.path()));
    }

    private static String inode(Path directory) {
        try {
            return String.valueOf(Files.getAttribute(directory.resolve(".lock"), "unix:ino"));
        } catch (IOException | UnsupportedOperationException e) {
            return "none";
        }
    }

    private synchronized Optional<Set<String>> locked() {
        long now = clock.millis();
        if (now - read >= KEPT.toMillis()) {
            read = now;
            locked = readLocks();
        }
        return locked;
    }

    /** Lines such as {@code 1: POSIX ADVISORY WRITE 4711 08:01:131077 0 EOF}; the inode is what counts. */
    private static Optional<Set<String>> readLocks() {
        try {
            Set<String> inodes = new HashSet<>();
            for (String line : Files.readAllLines(LOCKS)) {
                String[] words = line.trim().split("\\s+");
                if (words.length >= 6 && words[1].equals("POSIX") && words[3].equals("WRITE")) {
                    inodes.add(words[5].substring(words[5].lastIndexOf(':') + 1));
                }
            }
            return Optional.of(inodes);
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
