package dev.pgkq.rewards.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Reads files of run directories, which may come from others: only regular files, and only up to a size. Reading a pipe would
 * wait for a writer, and a link to a device may lead to data without an end.
 */
public final class BoundedFile {
    private BoundedFile() {}

    /**
     * Reads a file.
     *
     * @param limit the largest size, in bytes
     * @throws IOException if the file cannot be read, is not a regular file or is larger
     */
    public static byte[] bytes(Path file, int limit) throws IOException {
        require(file, limit);
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(limit);
            if (in.read() >= 0) {
                throw tooLarge(file, limit); // it has grown
            }
            return bytes;
        }
    }

    /** Reads a text in UTF-8, like {@link #bytes}. */
    public static String text(Path file, int limit) throws IOException {
        return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes(file, limit))).toString();
    }

    /** Throws if a file cannot be read, is not a regular file, or has more bytes than the limit. */
    public static void require(Path file, long limit) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile()) {
            throw new FileSystemException(
                    file.toString(), null, attributes.isDirectory() ? "it is a folder" : "it is not a regular file");
        }
        if (attributes.size() > limit) {
            throw tooLarge(file, limit);
        }
    }

    /** Throws if there is something else than a regular file: opening a pipe would wait for its other end. */
    public static void requireIfPresent(Path file) throws IOException {
        if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
            require(file, Long.MAX_VALUE);
        }
    }

    private static FileSystemException tooLarge(Path file, long limit) {
        String size = limit < 1 << 20 ? limit + " bytes" : (limit >> 20) + " MiB";
        return new FileSystemException(file.toString(), null, "it is larger than " + size);
    }
}
