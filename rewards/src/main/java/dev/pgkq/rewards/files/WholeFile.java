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

/**
 * Replaces a file as a whole: whoever opens it, whenever, sees all of the old contents or all of the new, also after the
 * power went off. The new contents go to a temporary file beside it, onto the disk, and only then take its name.
 */
public final class WholeFile {
    private WholeFile() {}

    /** Writes the new contents. */
    @FunctionalInterface
    public interface Contents {
        void writeTo(FileChannel channel) throws IOException;
    }

    /**
     * Replaces {@code file}, or makes it.
     *
     * @throws dev.pgkq.text.UserException if that does not work; the file is then as it was
     */
    public static void replace(Path file, Contents contents) {
        replace(file, contents, true);
    }

    /**
     * Replaces {@code file} as a whole, and leaves it to the system when it goes onto the disk: for what is shown, and can
     * be done without after the power went off.
     */
    public static void replaceSoon(Path file, Contents contents) {
        replace(file, contents, false);
    }

    private static void replace(Path file, Contents contents, boolean forced) {
        Path target = file.toAbsolutePath();
        Path folder = target.getParent();
        if (folder == null) {
            throw FileErrors.writing(file, new FileSystemException(file.toString(), null, "it is a folder"));
        }
        Path temporary = target.resolveSibling("." + target.getFileName() + ".new");
        try {
            Files.createDirectories(folder);
            try (FileChannel channel = FileChannel.open(
                    temporary,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING)) {
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

    /** Replaces {@code file} with these bytes, or makes it. */
    public static void replace(Path file, byte[] bytes) {
        replace(file, channel -> writeFully(ByteBuffer.wrap(bytes), channel));
    }

    /** A channel may take less than it is given at a time. */
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

    /** The new name is in the folder's own data, which some systems write later; others cannot open a folder. */
    private static void forceFolder(Path folder) {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (IOException e) {
            // Nothing more can be done there, and the file itself is safe.
        }
    }

    /** After a failure only; otherwise it has got its name by now. */
    private static void deleteQuietly(Path temporary) {
        try {
            Files.deleteIfExists(temporary);
        } catch (IOException e) {
            // The next try overwrites it.
        }
    }
}
