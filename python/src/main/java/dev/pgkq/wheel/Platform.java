package dev.pgkq.wheel;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The kind of machine a wheel is for: the one that builds it, since a Java runtime is linked from the JDK at hand.
 *
 * @param tag the platform in the name of a wheel
 * @param openblas its folder in the jar of OpenBLAS
 * @param sqlite its folder in the jar of SQLite
 */
record Platform(String tag, String openblas, String sqlite) {
    private static final Map<String, Platform> KNOWN = Map.of(
            "linux amd64", new Platform("linux_x86_64", "linux-x86_64", "Linux/x86_64"),
            "linux aarch64", new Platform("linux_aarch64", "linux-arm64", "Linux/aarch64"),
            "mac x86_64", new Platform("macosx_11_0_x86_64", "macosx-x86_64", "Mac/x86_64"),
            "mac aarch64", new Platform("macosx_11_0_arm64", "macosx-arm64", "Mac/aarch64"));

    /** The one with these names in Java's system properties, if wheels can be built for it. */
    static Optional<Platform> of(String os, String machine) {
        String system = os.toLowerCase(Locale.ROOT).replaceFirst("^mac.*", "mac");
        return Optional.ofNullable(KNOWN.get(system + " " + machine));
    }
}
