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
 * Detects whether a process is training in a run directory. Such a process holds a lock on the directory's {@code .lock}.
 * Testing the lock would mean opening the file, and a process that closes a file releases its own locks on it, so this class
 * reads the system's list of locks instead. Where there is no such list, and for processes it does not show, a run that has
 * written a file recently counts as running.
 */
final class Liveness {
    private static final Path LOCKS = Path.of("/proc/locks");
    private static final Duration RECENT_WITH_LOCKS = Duration.ofSeconds(10);
    private static final Duration RECENT_WITHOUT_LOCKS = Duration.ofMinutes(10);
    private static final Duration MAX_AGE = Duration.ofMillis(500);

    private final InstantSource clock;
    private Optional<Set<String>> locked = Optional.empty();
    private long read;

    Liveness(InstantSource clock) {
        this.clock = clock;
    }

    /** @param written when the run last wrote a file, in milliseconds */
    boolean isRunning(RunDirectory directory, long written) {
        Optional<Set<String>> inodes = locked();
        long age = clock.millis() - written;
        if (inodes.isEmpty()) {
            return age < RECENT_WITHOUT_LOCKS.toMillis();
        }
        return age < RECENT_WITH_LOCKS.toMillis() || inodes.get().contains(inode(directory.path()));
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
        if (now - read >= MAX_AGE.toMillis()) {
            read = now;
            locked = readLocks();
        }
        return locked;
    }

    /** Lines such as {@code 1: POSIX ADVISORY WRITE 4711 08:01:131077 0 EOF}; only the inode matters. */
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
