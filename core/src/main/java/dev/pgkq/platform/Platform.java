package dev.pgkq.platform;

import java.util.Locale;

/** This machine's operating system and processor, in the words that native packages use: {@code linux-x86_64}. */
public final class Platform {
    private Platform() {}

    public static String name() {
        return operatingSystem() + "-" + processor();
    }

    public static boolean isLinux() {
        return operatingSystem().equals("linux");
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
