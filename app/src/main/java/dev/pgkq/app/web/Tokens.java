package dev.pgkq.app.web;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The access tokens, one per role. They are long and random, and comparing one takes the same time however close a guess
 * is.
 */
public record Tokens(String viewer, String rater) {
    private static final int BYTES = 24;
    private static final int MIN_LENGTH = 16;

    static Tokens generate() {
        return new Tokens(random(), random());
    }

    /**
     * The tokens of a server.
     *
     * @param file where they are kept, if they are
     * @param local whether only programs on this machine can connect, which need none
     */
    static Optional<Tokens> required(Optional<Path> file, boolean local) {
        return file.isPresent()
                ? file.map(Tokens::readOrCreate)
                : local ? Optional.empty() : Optional.of(Tokens.generate());
    }

    /** Reads the tokens from a file. If there is no such file, generates tokens and writes it, readable by its owner only. */
    public static Tokens readOrCreate(Path file) {
        try {
            if (!Files.exists(file)) {
                Tokens tokens = generate();
                Path folder = file.toAbsolutePath().getParent();
                if (folder != null) {
                    Files.createDirectories(folder);
                }
                create(file, "viewer " + tokens.viewer + "\nrater " + tokens.rater + "\n");
                return tokens;
            }
            requirePrivate(file);
            return parse(file, Files.readString(file));
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private static void create(Path file, String text) throws IOException {
        if (Files.getFileStore(file.toAbsolutePath().getParent()).supportsFileAttributeView("posix")) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static void requirePrivate(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> allowed = Files.getPosixFilePermissions(file);
        if (allowed.contains(PosixFilePermission.OTHERS_READ) || allowed.contains(PosixFilePermission.GROUP_READ)) {
            throw new UserException("other users can read the tokens in " + file
                    + ": run chmod 600 on it, or delete it to get new tokens");
        }
    }

    private static Tokens parse(Path file, String text) {
        Map<String, String> tokens = new HashMap<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            String[] parts = line.split("\\s+");
            if (parts.length == 2 && parts[1].length() >= MIN_LENGTH) {
                tokens.put(parts[0], parts[1]);
            }
        });
        String viewer = tokens.getOrDefault("viewer", "");
        String rater = tokens.getOrDefault("rater", "");
        if (tokens.size() != 2 || viewer.isEmpty() || rater.isEmpty() || viewer.equals(rater)) {
            throw new UserException(
                    file + " needs two lines, 'viewer TOKEN' and 'rater TOKEN', with different tokens of at least "
                            + MIN_LENGTH + " characters; delete it to get new tokens");
        }
        return new Tokens(viewer, rater);
    }

    /** The role that a token grants. Always compares with both tokens, in constant time. */
    Role role(String token) {
        byte[] given = digest(token);
        boolean isViewer = MessageDigest.isEqual(given, digest(viewer));
        boolean isRater = MessageDigest.isEqual(given, digest(rater));
        return isRater ? Role.RATER : isViewer ? Role.VIEWER : Role.NONE;
    }

    /** A signing key derived from the tokens. */
    byte[] key() {
        return digest("pgkq sessions\n" + viewer + "\n" + rater);
    }

    static String random() {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(randomBytes(BYTES));
    }

    static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e); // every Java platform provides it
        }
    }

    /** Omits the tokens. */
    @Override
    public String toString() {
        return "Tokens[…]";
    }
}
