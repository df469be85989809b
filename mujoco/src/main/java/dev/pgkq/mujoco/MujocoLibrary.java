package dev.pgkq.mujoco;

import dev.pgkq.platform.ElfFile;
import dev.pgkq.platform.Platform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A MuJoCo library of a supported version that is loaded into this process. */
record MujocoLibrary(MujocoLocation location, String version, MujocoLayout layout, SymbolLookup symbols) {

    /** Prefixes of the libraries that Debian's libmujoco links to; MuJoCo's own releases have them built in. */
    private static final List<String> COMPANIONS =
            List.of("libccd.so.", "liblodepng.so.", "libqhull_r.so.", "libtinyxml2.so.");

    private static final int MAX_VERSION_LENGTH = 64;

    /** A library cannot be used; the message is the reason. The search continues with the next candidate. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String reason) {
            super(reason);
        }
    }

    /** Loads a library by name from the search path of the system's loader. */
    static MujocoLibrary ofSystem(String name) throws Unusable {
        return checked(
                new MujocoLocation(name, MujocoLocation.Origin.SYSTEM),
                load(name, () -> SymbolLookup.libraryLookup(name, Arena.global())));
    }

    /**
     * Loads a file. The libraries it needs are loaded first if they are in the same folder: the loader then finds them by
     * SONAME, regardless of the search path.
     */
    static MujocoLibrary ofFile(Path file, MujocoLocation.Origin origin) throws Unusable {
        Path absolute = file.toAbsolutePath().normalize();
        requireWhole(absolute);
        for (Path companion : companions(absolute)) {
            requireWhole(companion);
            load(companion.toString(), () -> SymbolLookup.libraryLookup(companion, Arena.global()));
        }
        return checked(
                new MujocoLocation(absolute.toString(), origin),
                load(absolute.toString(), () -> SymbolLookup.libraryLookup(absolute, Arena.global())));
    }

    /** Returns whether a file of that name is MuJoCo's library or one that it links to. */
    static boolean belongs(String fileName) {
        return fileName.startsWith("libmujoco.so.") || isCompanion(fileName);
    }

    private static boolean isCompanion(String fileName) {
        return COMPANIONS.stream().anyMatch(fileName::startsWith);
    }

    /** Rejects other files early: the JVM would print a warning of its own about them, or crash. */
    private static void requireWhole(Path file) throws Unusable {
        try {
            if (Platform.isLinux() && !ElfFile.isWhole(file)) {
                throw new Unusable(file.getFileName() + " is not a shared library, or not a whole one");
            }
        } catch (IOException e) {
            throw new Unusable("it cannot be read: " + e.getMessage());
        }
    }

    private static List<Path> companions(Path library) throws Unusable {
        Path folder = library.getParent();
        if (folder == null) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> isCompanion(file.getFileName().toString()))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new Unusable("cannot read the folder " + folder + ": " + e.getMessage());
        }
    }

    /** Loads a library. The FFM API does not report why a library cannot be opened; {@link System#load} does. */
    private static SymbolLookup load(String name, Supplier<SymbolLookup> lookup) throws Unusable {
        try {
            return lookup.get();
        } catch (IllegalArgumentException e) {
            throw new Unusable(Path.of(name).isAbsolute() ? loaderMessage(name) : "not found");
        }
    }

    @SuppressWarnings("BanJNI")
    private static String loaderMessage(String file) {
        try {
            System.load(file);
            return "cannot be opened";
        } catch (UnsatisfiedLinkError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static MujocoLibrary checked(MujocoLocation location, SymbolLookup symbols) throws Unusable {
        MemorySegment function = symbols.find("mj_versionString")
                .orElseThrow(() -> new Unusable("it has no mj_versionString: not MuJoCo 2.2 or later"));
        String version = versionString(function);
        return new MujocoLibrary(location, version, layoutOf(version), symbols);
    }

    static MujocoLayout layoutOf(String version) throws Unusable {
        return MujocoLayout.ofVersion(version)
                .orElseThrow(() -> new Unusable("it is MuJoCo " + version + "; supported versions: "
                        + String.join(", ", MujocoLayout.supportedVersions())));
    }

    private static String versionString(MemorySegment function) {
        try {
            MemorySegment text = (MemorySegment) Linker.nativeLinker()
                    .downcallHandle(function, FunctionDescriptor.of(ValueLayout.ADDRESS))
                    .invokeExact();
            return text.reinterpret(MAX_VERSION_LENGTH).getString(0);
        } catch (Throwable e) {
            throw new IllegalStateException("mj_versionString failed", e);
        }
    }
}
