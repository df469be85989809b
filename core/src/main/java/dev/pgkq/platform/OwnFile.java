package dev.pgkq.platform;

import java.io.IOException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Files that other users cannot change, apart from the administrator. Systems without owners and permissions of Unix are not
 * checked.
 */
public final class OwnFile {
    private static final boolean UNIX =
            FileSystems.getDefault().supportedFileAttributeViews().contains("unix");
    private static final int OTHERS_MAY_WRITE = 0022;
    private static final int ADMINISTRATOR = 0;

    private OwnFile() {}

    /**
     * Checks that no other user can change a file, or what is in a folder.
     *
     * @param file file or folder
     * @throws IOException if another user can, or the file does not exist
     */
    public static void require(Path file) throws IOException {
        if (!UNIX) {
            return;
        }
        int owner = (int) Files.getAttribute(file, "unix:uid");
        boolean othersMayWrite = ((int) Files.getAttribute(file, "unix:mode") & OTHERS_MAY_WRITE) != 0;
        if (othersMayWrite || (owner != ADMINISTRATOR && owner != user())) {
            throw new IOException("other users can change " + file.normalize()
                    + ", so that code in it is not run: make it yours with chown and 'chmod -R go-w', or set PGKQ_CACHE to a"
                    + " folder of your own");
        }
    }

    /** Creates a folder, and those above it, that only this user can change. */
    static Path createFolders(Path folder) throws IOException {
        return Files.isDirectory(folder)
                ? folder
                : UNIX
                        ? Files.createDirectories(
                                folder,
                                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")))
                        : Files.createDirectories(folder);
    }

    /** Makes a file one that only this user can change. */
    static void protect(Path file) throws IOException {
        if (UNIX) {
            Files.setPosixFilePermissions(
                    file,
                    Set.of(
                            PosixFilePermission.OWNER_READ,
                            PosixFilePermission.OWNER_WRITE,
                            PosixFilePermission.GROUP_READ,
                            PosixFilePermission.OTHERS_READ));
        }
    }

    private static int user() {
        Linker linker = Linker.nativeLinker();
        try {
            return (int) linker.downcallHandle(
                            linker.defaultLookup().findOrThrow("getuid"), FunctionDescriptor.of(ValueLayout.JAVA_INT))
                    .invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("getuid", e);
        }
    }
}
