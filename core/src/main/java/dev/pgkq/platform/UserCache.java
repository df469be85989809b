package dev.pgkq.platform;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The user's cache folder for files that can be made again, such as unpacked native libraries. The environment variable
 * {@code PGKQ_CACHE} names it; otherwise it is {@code $XDG_CACHE_HOME/pgkq}, {@code ~/Library/Caches/pgkq} or {@code
 * ~/.cache/pgkq}.
 */
public final class UserCache {
    private UserCache() {}

    /** {@return the cache folder, which may not exist yet} */
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

    /**
     * Finds a folder in the cache and creates it if it does not exist.
     *
     * @param name of the folder
     * @return its path
     * @throws UserException if it cannot be created
     */
    public static Path folder(String name) {
        Path folder = root().resolve(name);
        try {
            return OwnFile.createFolders(folder);
        } catch (IOException e) {
            throw new UserException(
                    "cannot create the cache folder " + folder + " (" + e.getMessage()
                            + "); set PGKQ_CACHE to a writable folder",
                    e);
        }
    }
}
