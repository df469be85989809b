package dev.pgkq.platform;

import java.util.Locale;

/** This machine's operating system and processor, as native packages name them: {@code linux-x86_64}. */
public final class Platform {
    private Platform() {}

    /** {@return operating system and processor, for example {@code linux-x86_64} or {@code macosx-arm64}} */
    public static String name() {
        return operatingSystem() + "-" + processor();
    }

    /** {@return whether the operating system is Linux} */
    public static boolean isLinux() {
        return operatingSystem().equals("linux");
    }

    /** {@return whether the operating system is Windows} */
    public static boolean isWindows() {
        return operatingSystem().equals("windows");
    }

    private static String operatingSystem() {
        String name = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        if (name.startsWith("mac")) {
            return "macosx";
        }
        return name.startsWith("windows") ? "windows" : name;
    }

    private static String processor() {
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return switch (arch) {
            case "amd64", "x86_64" -> "x86_64";
            case "aarch64", "arm64" -> "arm64";
            default -> arch;
        };
    }
}
