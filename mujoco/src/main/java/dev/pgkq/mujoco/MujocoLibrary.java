package dev.pgkq.mujoco;

import dev.pgkq.platform.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** A MuJoCo library that is loaded into this process and has a version we know. */
record MujocoLibrary(MujocoLocation location, String version, MujocoLayout layout, SymbolLookup symbols) {

    /** What Debian's libmujoco links to, by the start of the file name; its own release has these built in. */
    private static final List<String> COMPANIONS =
            List.of("libccd.so.", "liblodepng.so.", "libqhull_r.so.", "libtinyxml2.so.");

    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final int MAX_VERSION_LENGTH = 64;

    /** Why a file cannot be used; a reason among others until there is nothing left to try. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1L;

        Unusable(String reason) {
            super(reason);
        }
    }

    /** Loads by name, wherever the system's loader looks. */
    static MujocoLibrary ofSystem(String name) throws Unusable {
        return checked(
                new MujocoLocation(name, MujocoLocation.Origin.SYSTEM),
                load(name, () -> SymbolLookup.libraryLookup(name, Arena.global())));
    }

    /**
     * Loads a file. The libraries it needs are loaded first from the folder it is in, if they are there: the loader then
     * finds them by their SONAME, whatever the search path is.
     */
    static MujocoLibrary ofFile(Path file, MujocoLocation.Origin origin) throws Unusable {
        Path absolute = file.toAbsolutePath().normalize();
        requireLibraryFormat(absolute);
        for (Path companion : companions(absolute)) {
            load(companion.toString(), () -> SymbolLookup.libraryLookup(companion, Arena.global()));
        }
        return checked(
                new MujocoLocation(absolute.toString(), origin),
                load(absolute.toString(), () -> SymbolLookup.libraryLookup(absolute, Arena.global())));
    }

    /** Whether a file of that name is MuJoCo's library or one that it links to. */
    static boolean belongs(String fileName) {
        return fileName.startsWith("libmujoco.so.") || isCompanion(fileName);
    }

    private static boolean isCompanion(String fileName) {
        return COMPANIONS.stream().anyMatch(fileName::startsWith);
    }

    /** The virtual machine prints a warning of its own about files in no format it knows; this one comes first. */
    private static void requireLibraryFormat(Path file) throws Unusable {
        byte[] start = new byte[ELF.length];
        try (InputStream bytes = Files.newInputStream(file)) {
            if (Platform.isLinux() && !(bytes.read(start) == ELF.length && Arrays.equals(start, ELF))) {
                throw new Unusable("it is not a shared library");
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

    /** The FFM API says only that a library cannot be opened; {@link System#load} tells what the loader said. */
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
                .orElseThrow(() -> new Unusable("it is MuJoCo " + version + ", and supported are: "
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
