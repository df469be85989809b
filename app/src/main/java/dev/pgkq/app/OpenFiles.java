package dev.pgkq.app;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The limit on open files. Every jar on the class path is one, so that classes are missing when it is reached. */
final class OpenFiles {
    /** As many as the launcher asks for. */
    static final int LEAST = 256;

    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final String LIMIT = "Max open files";

    /** Some are closed again before a failure is reported. */
    private static final int FEW = 8;

    private OpenFiles() {}

    /** Why this process cannot work, if it may open too few files; empty otherwise, and where the system does not tell. */
    static Optional<String> shortage() {
        int allowed = allowed();
        return allowed >= LEAST
                ? Optional.empty()
                : Optional.of("at least " + LEAST + " open files are needed, but this process may have " + allowed
                        + ". Raise the limit, for example with 'ulimit -n 4096', or ask the administrator; nothing was"
                        + " started");
    }

    /** Read from a file, because the classes that know the limit need more files than there may be. */
    private static int allowed() {
        try {
            for (String line : Files.readAllLines(LIMITS)) {
                if (line.startsWith(LIMIT)) {
                    return Integer.parseInt(
                            line.substring(LIMIT.length()).strip().split(" ")[0]);
                }
            }
        } catch (IOException | NumberFormatException e) {
            // there is no such file, or no limit
        }
        return Integer.MAX_VALUE;
    }

    /** Whether a failure shows that no more files can be opened. */
    static boolean areExhaustedBy(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (String.valueOf(cause.getMessage()).contains("Too many open files")
                    || (cause instanceof LinkageError && areFewLeft())) {
                return true;
            }
        }
        return false;
    }

    private static boolean areFewLeft() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                && system.getOpenFileDescriptorCount() + FEW >= system.getMaxFileDescriptorCount();
    }
}
