package dev.pgkq.platform;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The user's cache folder for what can be made again: unpacked native libraries. {@code PGKQ_CACHE} overrides it;
 * otherwise it is {@code $XDG_CACHE_HOME/pgkq}, {@code ~/Library/Caches/pgkq} or {@code ~/.cache/pgkq}.
 */
public final class UserCache {
    private UserCache() {}

    public static Path root() {
        String override = System.getenv("PGKQ_CACHE");
        if (override != null && !override.isBlank()) {
            return Path.of(override).toAbsolutePath();
        }
        String xdg = System.getenv("XDG_CACHE_HOME");
        if (xdg != null && !xdg.isBlank()) {
            return Path.of(xdg).resolve("pgkq").toAbsolutePath();
        }
        Path home = Path.of(System.getProperty("user.home", "."));
        boolean mac = Platform.name().startsWith("macosx");
        return home.resolve(mac ? "Library/Caches" : ".cache").resolve("pgkq").toAbsolutePath();
    }

    /** A folder of that name in the cache, made if it was not there. */
    public static Path folder(String name) {
        Path folder = root().resolve(name);
        try {
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UserException(
                    "cannot make the cache folder " + folder + " (" + e.getMessage()
                            + "); set PGKQ_CACHE to a folder that can be written",
                    e);
        }
    }
}
