package dev.pgkq.rewards.database;

import dev.pgkq.platform.LibraryFolder;
import dev.pgkq.platform.UserCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.sqlite.SQLiteJDBCLoader;
import org.sqlite.util.LibraryLoaderUtil;
import org.sqlite.util.OSInfo;

/**
 * SQLite's native library, unpacked once into the user's cache. Left to itself, the driver unpacks it at every start into the
 * temporary folder, where it stays if the process is killed.
 */
final class SqliteLibrary {
    private static final String FOLDER = "org.sqlite.lib.path";
    private static final String NAME = "org.sqlite.lib.name";
    private static final String OTHER_PLACE = "org.sqlite.tmpdir";

    private static boolean prepared;

    private SqliteLibrary() {}

    /** Tells the driver where the library is, unless the user has. Without a cache, the driver unpacks it as it does. */
    static synchronized void prepare() {
        if (!prepared && System.getProperty(FOLDER) == null && System.getProperty(OTHER_PLACE) == null) {
            try {
                LibraryFolder folder = unpacked(UserCache.root());
                if (folder.problem().isEmpty()) {
                    System.setProperty(FOLDER, folder.path().toString());
                    System.setProperty(NAME, LibraryLoaderUtil.getNativeLibName());
                }
            } catch (IOException e) {
                // see above
            }
        }
        prepared = true;
    }

    /** The library in a cache folder, where a damaged one is replaced. */
    static LibraryFolder unpacked(Path cache) throws IOException {
        String platform = OSInfo.getNativeLibFolderPathForCurrentOS().replace('/', '-');
        LibraryFolder folder =
                new LibraryFolder(cache.resolve("sqlite-" + SQLiteJDBCLoader.getVersion() + "-" + platform));
        if (!folder.problem().isEmpty()) {
            folder.make(scratch -> List.of(unpack(scratch)));
        }
        return folder;
    }

    private static Path unpack(Path scratch) throws IOException {
        String name = LibraryLoaderUtil.getNativeLibName();
        String resource = LibraryLoaderUtil.getNativeLibResourcePath() + "/" + name;
        try (InputStream in = SQLiteJDBCLoader.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new FileNotFoundException("the class path has no " + resource);
            }
            Path file = scratch.resolve(name);
            Files.copy(in, file);
            return file;
        }
    }
}
