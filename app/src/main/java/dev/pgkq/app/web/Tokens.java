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
import java.util.Set;

/**
 * The words that let people in, one for each role. They are long and random, so that nobody guesses them, and a guess takes
 * the same time however close it is.
 */
public record Tokens(String viewer, String rater) {
    private static final int BYTES = 24;
    private static final int SHORTEST = 16;

    static Tokens generate() {
        return new Tokens(random(), random());
    }

    /** Those in a file, or new ones that are written there for its owner alone to read. */
    public static Tokens in(Path file) {
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
            throw new UserException(
                    "others can read the tokens in " + file + ": chmod 600 it, or delete it for new ones");
        }
    }

    private static Tokens parse(Path file, String text) {
        Map<String, String> words = new HashMap<>();
        text.lines().map(String::strip).filter(line -> !line.isEmpty()).forEach(line -> {
            String[] parts = line.split("\\s+");
            if (parts.length == 2 && parts[1].length() >= SHORTEST) {
                words.put(parts[0], parts[1]);
            }
        });
        String viewer = words.getOrDefault("viewer", "");
        String rater = words.getOrDefault("rater", "");
        if (words.size() != 2 || viewer.isEmpty() || rater.isEmpty() || viewer.equals(rater)) {
            throw new UserException(
                    file + " needs two lines, 'viewer TOKEN' and 'rater TOKEN', with different tokens of" + " at least "
                            + SHORTEST + " characters; delete it for new ones");
        }
        return new Tokens(viewer, rater);
    }

    /** What a token is good for. Both are always compared, in full. */
    Role role(String token) {
        byte[] given = digest(token);
        boolean isViewer = MessageDigest.isEqual(given, digest(viewer));
        boolean isRater = MessageDigest.isEqual(given, digest(rater));
        return isRater ? Role.RATER : isViewer ? Role.VIEWER : Role.NONE;
    }

    /** A key that only who has these tokens could make. */
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
            throw new AssertionError(e); // every Java has it
        }
    }

    /** Not the words themselves. */
    @Override
    public String toString() {
        return "Tokens[…]";
    }
}
