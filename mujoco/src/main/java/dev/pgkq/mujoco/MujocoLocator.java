package dev.pgkq.mujoco;

import dev.pgkq.mujoco.MujocoLibrary.Unusable;
import dev.pgkq.mujoco.MujocoLocation.Origin;
import dev.pgkq.platform.LibraryFolder;
import dev.pgkq.platform.Platform;
import dev.pgkq.platform.UserCache;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the MuJoCo library. The places are searched in this order:
 *
 * <ol>
 *   <li>the path in the system property {@code pgkq.mujoco} or the environment variable {@code PGKQ_MUJOCO}: a file, or the
 *       folder of the file. There is no fallback if it cannot be used;
 *   <li>the search path of the system's loader;
 *   <li>the user's cache;
 *   <li>Debian's packages, downloaded into the cache without root.
 * </ol>
 */
final class MujocoLocator {
    static final String PROPERTY = "pgkq.mujoco";
    static final String VARIABLE = "PGKQ_MUJOCO";
    static final String CACHE_FOLDER = "mujoco-2.2.2-" + Platform.name();

    /** File names on all platforms; only those with this platform's suffix are tried. */
    private static final List<String> NAMES =
            List.of("libmujoco.so.2.2.2", "libmujoco.so", "libmujoco.2.2.2.dylib", "libmujoco.dylib", "mujoco.dll");

    private static final Pattern LOOKS_LIKE_MUJOCO =
            Pattern.compile("libmujoco[0-9.]*\\.so[0-9.]*|libmujoco\\.[0-9.]*dylib|mujoco\\.dll");

    /**
     * A path given by the user.
     *
     * @param path file or folder
     * @param where where it was given, for messages
     */
    record Explicit(String path, String where) {}

    private final Optional<Explicit> explicit;
    private final List<String> systemNames;
    private final LibraryFolder cache;
    private final DebianPackages packages;

    MujocoLocator(Optional<Explicit> explicit, List<String> systemNames, Path cache, DebianPackages packages) {
        this.explicit = explicit;
        this.systemNames = List.copyOf(systemNames);
        this.cache = new LibraryFolder(cache);
        this.packages = packages;
    }

    /** Returns a locator for the system properties and environment variables of this process. */
    static MujocoLocator ofProcess() {
        Optional<Explicit> explicit = given(System.getProperty(PROPERTY), "the system property " + PROPERTY)
                .or(() -> given(System.getenv(VARIABLE), "the environment variable " + VARIABLE));
        String suffix = System.mapLibraryName("").replaceFirst("^lib", "");
        return new MujocoLocator(
                explicit,
                NAMES.stream().filter(name -> name.contains(suffix)).toList(),
                UserCache.root().resolve(CACHE_FOLDER),
                new DebianPackages(List.of()));
    }

    private static Optional<Explicit> given(@Nullable String path, String where) {
        return path == null || path.isBlank() ? Optional.empty() : Optional.of(new Explicit(path, where));
    }

    /**
     * Finds the library.
     *
     * @throws MujocoException if there is no usable library; the message lists what was tried and how to install it
     */
    MujocoLibrary locate() {
        if (explicit.isPresent()) {
            return atExplicitPath(explicit.get());
        }
        List<String> tried = new ArrayList<>();
        return inSystem(tried)
                .or(() -> inCache(Origin.CACHE, tried))
                .or(() -> fetched(tried))
                .orElseThrow(() -> new MujocoException(InstallationGuide.notFound(tried)));
    }

    private static MujocoLibrary atExplicitPath(Explicit given) {
        try {
            return MujocoLibrary.ofFile(libraryAt(Path.of(given.path())), Origin.EXPLICIT);
        } catch (Unusable e) {
            throw new MujocoException(
                    "cannot use the MuJoCo library " + given.path() + " given by " + given.where() + ": "
                            + e.getMessage() + System.lineSeparator() + "Give the path of libmujoco "
                            + String.join(" or ", MujocoLayout.supportedVersions())
                            + ", or of its folder. Without " + given.where()
                            + ", the library is looked for in the usual places.",
                    e);
        }
    }

    private static Path libraryAt(Path path) throws Unusable {
        if (Files.isRegularFile(path)) {
            return path;
        }
        if (!Files.isDirectory(path)) {
            throw new Unusable("there is no such file or folder");
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.filter(file -> LOOKS_LIKE_MUJOCO
                            .matcher(file.getFileName().toString())
                            .matches())
                    .min(Comparator.comparingInt(MujocoLocator::rank).thenComparing(Comparator.naturalOrder()))
                    .orElseThrow(() -> new Unusable("the folder has no libmujoco"));
        } catch (IOException e) {
            throw new Unusable("cannot read the folder: " + e.getMessage());
        }
    }

    /** Known names come first, in the order of the list. */
    private static int rank(Path file) {
        int index = NAMES.indexOf(file.getFileName().toString());
        return index >= 0 ? index : NAMES.size();
    }

    private Optional<MujocoLibrary> inSystem(List<String> tried) {
        for (String name : systemNames) {
            try {
                return Optional.of(MujocoLibrary.ofSystem(name));
            } catch (Unusable e) {
                tried.add("the system's " + name + ": " + e.getMessage());
            }
        }
        return Optional.empty();
    }

    private Optional<MujocoLibrary> inCache(Origin origin, List<String> tried) {
        String problem = cache.problem();
        if (!problem.isEmpty()) {
            tried.add("the cache " + cache.path() + ": " + problem);
            return Optional.empty();
        }
        try {
            return Optional.of(MujocoLibrary.ofFile(libraryAt(cache.path()), origin));
        } catch (Unusable e) {
            tried.add(
                    "the cache " + cache.path() + ": " + e.getMessage() + "; delete this folder to download it again");
            return Optional.empty();
        }
    }

    private Optional<MujocoLibrary> fetched(List<String> tried) {
        if (cache.problem().isEmpty()) {
            return Optional.empty();
        }
        try {
            packages.fetchInto(cache);
        } catch (AccessDeniedException e) {
            tried.add("Debian's packages: cannot write to " + e.getFile() + "; set PGKQ_CACHE to a writable folder");
            return Optional.empty();
        } catch (IOException e) {
            tried.add("Debian's packages: " + e.getMessage());
            return Optional.empty();
        }
        return inCache(Origin.FETCHED, tried);
    }
}
