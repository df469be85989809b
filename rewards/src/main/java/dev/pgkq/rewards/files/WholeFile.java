package dev.pgkq.rewards.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;

/**
 * Replaces files atomically: a reader sees either the old or the new contents, even after a power failure. The new contents are
 * written to a temporary file beside the old one, forced to disk, and only then renamed.
 */
public final class WholeFile {
    private static final Set<StandardOpenOption> NEW =
            Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);

    private WholeFile() {}

    /** Writes the new contents. */
    @FunctionalInterface
    public interface Contents {
        /** Writes to an empty file. */
        void writeTo(FileChannel channel) throws IOException;
    }

    /**
     * Replaces or creates {@code file}, and its folder if necessary.
     *
     * @throws dev.pgkq.text.UserException if it cannot be written; it is unchanged then
     */
    public static void replace(Path file, Contents contents) {
        replace(file, contents, true);
    }

    /**
     * Replaces or creates {@code file} so that only its owner can read it, where the file system has such permissions.
     *
     * @throws dev.pgkq.text.UserException if it cannot be written; it is unchanged then
     */
    public static void replacePrivately(Path file, byte[] bytes) {
        replace(file, channel -> writeFully(ByteBuffer.wrap(bytes), channel), true, PrivateFiles.permissions(file));
    }

    /**
     * Replaces {@code file} atomically without forcing it to disk: for contents that may be lost in a power failure.
     */
    public static void replaceSoon(Path file, Contents contents) {
        replace(file, contents, false);
    }

    private static void replace(Path file, Contents contents, boolean forced, FileAttribute<?>... permissions) {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null) {
            throw FileErrors.writing(file, new FileSystemException(file.toString(), null, "it is a folder"));
        }
        Path temporary = target.resolveSibling("." + target.getFileName() + ".new");
        try {
            Files.createDirectories(folder);
            deleteQuietly(temporary); // left by a process that was killed, perhaps with other permissions
            try (FileChannel channel = FileChannel.open(temporary, NEW, permissions)) {
                contents.writeTo(channel);
                if (forced) {
                    channel.force(true);
                }
            }
            move(temporary, target);
            if (forced) {
                forceFolder(folder);
            }
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        } finally {
            deleteQuietly(temporary);
        }
    }

    /** Replaces or creates {@code file} with these bytes. */
    public static void replace(Path file, byte[] bytes) {
        replace(file, channel -> writeFully(ByteBuffer.wrap(bytes), channel));
    }

    /** Writes all bytes; a single write may take only part of them. */
    public static void writeFully(ByteBuffer bytes, FileChannel channel) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** Forces the new name, which is part of the folder's data, to disk. Some systems cannot open a folder. */
    private static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Nothing more can be done, and the file itself is safe.
        }
    }

    /** Effective after a failure only; otherwise the file has been renamed. */
    private static void deleteQuietly(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The next write overwrites it.
        }
    }
}
