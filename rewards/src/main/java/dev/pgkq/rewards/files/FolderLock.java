package dev.pgkq.rewards.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Keeps other processes from working in a folder until it is closed, or this process ends.
 *
 * @param channel the locked file
 */
public record FolderLock(FileChannel channel) implements AutoCloseable {
    /** The name of the locked file in the folder. */
    public static final String FILE = ".lock";

    /**
     * Locks a folder, and creates it if it does not exist.
     *
     * @return empty if another process, or another part of this one, holds the lock
     * @throws dev.pgkq.text.UserException if the file cannot be written
     */
    public static Optional<FolderLock> tryLock(Path folder) {
        Path file = folder.resolve(FILE);
        try {
            Files.createDirectories(folder);
            BoundedFile.requireIfPresent(file);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel)) {
                return Optional.of(new FolderLock(channel));
            }
            channel.close();
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process holds it
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
