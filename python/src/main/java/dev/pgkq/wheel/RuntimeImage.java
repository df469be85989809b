package dev.pgkq.wheel;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/** A Java runtime with the modules that pgkq needs, linked from the JDK that builds. */
final class RuntimeImage {
    /** What the classes of our jars use, according to jdeps. */
    static final List<String> MODULES = List.of(
            "java.base",
            "java.desktop",
            "java.logging",
            "java.management",
            "java.naming",
            "java.net.http",
            "java.security.jgss",
            "java.sql",
            "jdk.incubator.vector",
            "jdk.management",
            "jdk.unsupported");

    /** Libraries for screens and sound, which a program without a screen never loads. */
    private static final String EXCLUDED =
            "glob:/java.desktop/lib/libsplashscreen*,glob:/java.desktop/lib/libjsound*,glob:/java.desktop/lib/libawt_xawt*";

    private RuntimeImage() {}

    /**
     * Links the runtime, unless the folder has one of this JDK already: that takes ten seconds.
     *
     * <p>Its modules are not compressed: a wheel that compresses them as a whole is smaller by 7 MB than one with compressed modules, and
     * Java starts faster.
     */
    static void link(Path folder) throws IOException {
        Path made = folder.resolveSibling(folder.getFileName() + ".made-with");
        String recipe = Runtime.version() + "\n" + MODULES + "\n" + EXCLUDED + "\n";
        if (Files.exists(made) && Files.readString(made).equals(recipe)) {
            return;
        }
        Files.deleteIfExists(made);
        delete(folder);
        StringWriter said = new StringWriter();
        PrintWriter print = new PrintWriter(said);
        int exit = ToolProvider.findFirst("jlink")
                .orElseThrow(() -> new IOException("this JDK has no jlink: " + System.getProperty("java.home")))
                .run(
                        print,
                        print,
                        "--compress",
                        "zip-0",
                        "--strip-debug",
                        "--no-header-files",
                        "--no-man-pages",
                        "--exclude-files",
                        EXCLUDED,
                        "--add-modules",
                        String.join(",", MODULES),
                        "--output",
                        folder.toString());
        if (exit != 0) {
            throw new IOException("jlink failed: " + said);
        }
        Files.writeString(made, recipe);
    }

    private static void delete(Path folder) throws IOException {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
