package dev.pgkq.linalg;

import dev.pgkq.platform.LibraryFolder;
import dev.pgkq.platform.Platform;
import dev.pgkq.platform.UserCache;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Finds OpenBLAS: the shared libraries inside the {@code org.bytedeco:openblas} jar of this platform, unpacked once
 * into the user's cache.
 */
final class OpenBlasLibrary {
    private static final String JAR_ROOT = "/org/bytedeco/openblas/";
    private static final String VERSION_FILE = "/META-INF/maven/org.bytedeco/openblas/pom.properties";

    private OpenBlasLibrary() {}

    static SymbolLookup open() throws NativeLibraryException {
        List<String> libraries = librariesInLoadOrder();
        Path folder = unpacked(libraries, UserCache.root());
        for (String dependency : libraries.subList(0, libraries.size() - 1)) {
            load(dependency, folder);
        }
        Path library = folder.resolve(libraries.getLast());
        try {
            return SymbolLookup.libraryLookup(library, Arena.global());
        } catch (IllegalArgumentException e) {
            throw new NativeLibraryException("cannot load " + library + ": " + e.getMessage(), e);
        }
    }

    /** The folder of the unpacked libraries in the cache, where damaged ones are replaced. */
    static Path unpacked(List<String> libraries, Path cache) throws NativeLibraryException {
        try {
            LibraryFolder folder = new LibraryFolder(cache.resolve("openblas-" + version() + "-" + Platform.name()));
            if (!folder.problem().isEmpty()) {
                folder.make(scratch -> unpack(libraries, scratch));
            }
            String problem = folder.problem();
            if (!problem.isEmpty()) {
                throw new NativeLibraryException("the unpacked OpenBLAS in " + folder.path() + ": " + problem);
            }
            return folder.path();
        } catch (IOException e) {
            throw new NativeLibraryException("cannot unpack OpenBLAS: " + e.getMessage(), e);
        }
    }

    /** The libraries in the order in which they are loaded: each needs those before it. */
    static List<String> librariesInLoadOrder() throws NativeLibraryException {
        String platform = Platform.name();
        if (platform.startsWith("linux")) {
            List<String> chain = List.of("libgcc_s.so.1", "libquadmath.so.0", "libgfortran.so.5", "libopenblas.so.0");
            return chain.stream().filter(OpenBlasLibrary::inJar).toList();
        }
        if (platform.startsWith("macosx")) {
            List<String> chain =
                    List.of("libgcc_s.1.1.dylib", "libquadmath.0.dylib", "libgfortran.5.dylib", "libopenblas.0.dylib");
            return chain.stream().filter(OpenBlasLibrary::inJar).toList();
        }
        throw new NativeLibraryException("no OpenBLAS for " + platform);
    }

    private static boolean inJar(String library) {
        return OpenBlasLibrary.class.getResource(resource(library)) != null || library.contains("openblas");
    }

    /**
     * Loads a dependency, the system's copy first: MuJoCo and libstdc++ use the same libgcc_s, and the system's is
     * never too old for them. A failure is ignored here and shows when OpenBLAS itself is loaded.
     */
    private static void load(String dependency, Path folder) {
        try {
            SymbolLookup.libraryLookup(dependency, Arena.global());
        } catch (IllegalArgumentException notOnTheSystem) {
            try {
                SymbolLookup.libraryLookup(folder.resolve(dependency), Arena.global());
            } catch (IllegalArgumentException neither) {
                return;
            }
        }
    }

    private static List<Path> unpack(List<String> libraries, Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        for (String library : libraries) {
            try (InputStream in = OpenBlasLibrary.class.getResourceAsStream(resource(library))) {
                if (in == null) {
                    throw new FileNotFoundException("the class path has no OpenBLAS for " + Platform.name()
                            + " (org.bytedeco:openblas with that classifier)");
                }
                Path file = folder.resolve(library);
                Files.copy(in, file);
                files.add(file);
            }
        }
        return files;
    }

    private static String resource(String library) {
        return JAR_ROOT + Platform.name() + "/" + library;
    }

    private static String version() throws IOException {
        try (InputStream in = OpenBlasLibrary.class.getResourceAsStream(VERSION_FILE)) {
            Properties properties = new Properties();
            if (in != null) {
                properties.load(in);
            }
            return properties.getProperty("version", "unknown");
        }
    }
}
