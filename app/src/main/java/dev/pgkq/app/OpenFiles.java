package dev.pgkq.app;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** The limit on open files. Every jar on the class path is one, so that classes are missing when it is reached. */
final class OpenFiles {
    /** Some are closed again before a failure is reported. */
    private static final int FEW = 8;

    private OpenFiles() {}

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
