package dev.pgkq.app.config;

import dev.pgkq.text.UserException;
import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Tasks and rewards of the user: jars and folders in addition to the class path with which Java was started. Their class loader
 * becomes the thread's, and that of all threads which it starts from then on.
 */
public final class UserClasses {
    private UserClasses() {}

    /** The list with absolute paths, so that it means the same in any folder. */
    static String absolute(String classPath) {
        return entries(classPath).stream()
                .map(entry -> Path.of(entry).toAbsolutePath().normalize().toString())
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static List<String> entries(String classPath) {
        return Arrays.stream(classPath.split(File.pathSeparator, -1))
                .map(String::strip)
                .filter(entry -> !entry.isEmpty())
                .toList();
    }

    /**
     * Makes classes available.
     *
     * @param classPath jars and folders, separated as in the system's lists of paths; may be empty
     * @throws UserException if one of them does not exist
     */
    public static void use(String classPath) {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        boolean isInUse = before instanceof Loader loader && loader.classPath.equals(classPath);
        if (classPath.isBlank() || isInUse) {
            return;
        }
        List<URL> places = new ArrayList<>();
        for (String entry : entries(classPath)) {
            places.add(place(Path.of(entry)));
        }
        Thread.currentThread().setContextClassLoader(new Loader(classPath, places, before));
    }

    private static URL place(Path entry) {
        if (!Files.exists(entry)) {
            throw new UserException("--classpath names " + entry
                    + ", which does not exist: give the jars and folders with your classes, separated by '"
                    + File.pathSeparator + "'");
        }
        try {
            return entry.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UserException("--classpath names " + entry + ", which cannot be a jar or a folder", e);
        }
    }

    private static final class Loader extends URLClassLoader {
        final String classPath;

        Loader(String classPath, List<URL> places, ClassLoader parent) {
            super("--classpath", places.toArray(URL[]::new), parent);
            this.classPath = classPath;
        }
    }
}
