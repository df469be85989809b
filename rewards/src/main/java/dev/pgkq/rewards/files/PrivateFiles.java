package dev.pgkq.rewards.files;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;

/** Files that only their owner can read, where the file system has such permissions. */
public final class PrivateFiles {
    private PrivateFiles() {}

    static FileAttribute<?>[] permissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
                }
                : new FileAttribute<?>[0];
    }

    /**
     * Creates an empty file, and its folder if necessary, unless it exists. The file appears under its name without having been
     * opened under it: on Unix, a process that closes a file loses all locks that it has on it.
     *
     * @throws dev.pgkq.text.UserException if the folder cannot be written
     */
    public static void createEmpty(Path file) {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null || Files.exists(target)) {
            return;
        }
        try {
            Files.createDirectories(folder);
            Path temporary = Files.createTempFile(folder, ".", ".new", permissions(folder));
            try {
                Files.createLink(target, temporary);
            } catch (IOException | UnsupportedOperationException e) {
                // it exists by now, or there are no links here and hence hardly any permissions
            } finally {
                Files.delete(temporary);
            }
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }
}
