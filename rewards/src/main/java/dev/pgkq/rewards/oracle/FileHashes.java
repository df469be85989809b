package dev.pgkq.rewards.oracle;

import dev.pgkq.rewards.files.FileErrors;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** SHA-256 of files. A file is read again only if its size, its time of modification or its inode has changed. */
final class FileHashes {
    private final Map<String, Path> files;
    private final Map<String, Known> known = new HashMap<>();

    private record Version(
            long size, FileTime modified, @Nullable Object key) {}

    private record Known(Version version, String hash) {}

    /**
     * @param files the files by name
     */
    FileHashes(Map<String, Path> files) {
        this.files = Map.copyOf(files);
    }

    /**
     * The hash of every file that exists and may be read, in hexadecimal digits, by name.
     *
     * @throws dev.pgkq.text.UserException if reading a file fails
     */
    synchronized Map<String, String> current() {
        Map<String, String> hashes = new TreeMap<>();
        files.forEach((name, file) -> {
            try {
                hashes.put(name, current(name, file));
            } catch (NoSuchFileException | AccessDeniedException e) {
                known.remove(name); // a program may be executable without being readable
            } catch (IOException e) {
                throw FileErrors.reading(file, e);
            }
        });
        return hashes;
    }

    private String current(String name, Path file) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        Version version = new Version(attributes.size(), attributes.lastModifiedTime(), attributes.fileKey());
        Known before = known.get(name);
        if (before != null && before.version.equals(version)) {
            return before.hash;
        }
        try (InputStream in = Files.newInputStream(file)) {
            String hash = of(in);
            known.put(name, new Known(version, hash));
            return hash;
        }
    }

    /** The hash of everything in a stream. */
    static String of(InputStream in) throws IOException {
        MessageDigest digest;
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
        try (DigestInputStream hashing = new DigestInputStream(in, digest)) {
            hashing.transferTo(OutputStream.nullOutputStream());
        }
        return HexFormat.of().formatHex(digest.digest());
    }
}
