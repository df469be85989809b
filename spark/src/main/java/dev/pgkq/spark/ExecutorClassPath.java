package dev.pgkq.spark;

import dev.pgkq.text.UserException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/**
 * The class path and the JVM options of executors. They get the part of the driver's class path that they need: neither Spark,
 * which they have, nor the application with its web server, charts and databases. An executor on this machine reads the same
 * files; others are sent them.
 *
 * <p>The launcher's build puts a list beside its jars, {@value #LIST}, of those that the Spark module needs to run. Jars of
 * such a folder that are not on its list stay with the driver. Everything else on the class path, folders of classes included,
 * belongs to the user, such as tasks and rewards, and goes along.
 */
final class ExecutorClassPath {
    /** Names of jars in the same folder, as paths that are separated by commas. */
    static final String LIST = "executor-jars";

    private static final String JARS = "spark.jars";
    private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
    private static final String OPTIONS = "--enable-native-access=ALL-UNNAMED --add-modules=jdk.incubator.vector";

    private ExecutorClassPath() {}

    /** Adds the class path and the JVM options to Spark's settings. */
    static void configure(SparkConf conf) {
        String mujoco = System.getProperty("pgkq.mujoco", "");
        String options = OPTIONS + (mujoco.isEmpty() ? "" : " \"-Dpgkq.mujoco=" + mujoco + "\"");
        conf.set(EXECUTOR_OPTIONS, (options + " " + conf.get(EXECUTOR_OPTIONS, "")).strip());
        if (conf.contains("spark.submit.deployMode")) {
            return; // spark-submit distributes its jar itself
        }
        List<Path> needed = needed(withoutSpark(classPath()), ownJar());
        String master = conf.get("spark.master");
        if (master.startsWith("local")) {
            conf.setIfMissing("spark.executor.extraClassPath", joined(needed, File.pathSeparator));
        } else {
            String own = joined(needed.stream().map(ExecutorClassPath::jar).toList(), ",");
            conf.set(JARS, conf.contains(JARS) ? own + "," + conf.get(JARS) : own);
        }
    }

    private static String joined(List<Path> paths, String separator) {
        return String.join(separator, paths.stream().map(Path::toString).toList());
    }

    /** The entries of the driver's class path that exist. */
    private static List<Path> classPath() {
        return Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath().normalize())
                .filter(Files::exists)
                .toList();
    }

    private static List<Path> withoutSpark(List<Path> classPath) {
        Optional<Path> spark = Optional.ofNullable(System.getenv("SPARK_HOME"))
                .map(home -> Path.of(home).toAbsolutePath().normalize().resolve("jars"));
        return classPath.stream()
                .filter(entry -> !spark.map(entry::startsWith).orElse(false) && !isSparkArtifact(entry))
                .toList();
    }

    /** On Maven's class path, Spark's jars are among the others. */
    private static boolean isSparkArtifact(Path entry) {
        String path = entry.toString().replace(File.separatorChar, '/');
        return path.contains("/org/apache/spark/") || path.contains("/org/scala-lang/");
    }

    private static Optional<Path> ownJar() {
        try {
            return Optional.of(Path.of(ExecutorClassPath.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toAbsolutePath()
                    .normalize());
        } catch (URISyntaxException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /**
     * The entries that executors need.
     *
     * @param classPath of the driver, without Spark
     * @param own the jar of this module, which is on no list
     */
    static List<Path> needed(List<Path> classPath, Optional<Path> own) {
        Set<Path> folders = classPath.stream()
                .flatMap(entry -> Stream.ofNullable(entry.getParent()))
                .filter(folder -> Files.isRegularFile(folder.resolve(LIST)))
                .collect(Collectors.toSet());
        Set<Path> listed = new HashSet<>();
        folders.forEach(folder -> listed.addAll(listed(folder)));
        own.ifPresent(listed::add);
        return classPath.stream()
                .filter(entry ->
                        Files.isDirectory(entry) || !folders.contains(entry.getParent()) || listed.contains(entry))
                .toList();
    }

    private static List<Path> listed(Path folder) {
        Path list = folder.resolve(LIST);
        try {
            return Arrays.stream(Files.readString(list).strip().split(","))
                    .map(name -> folder.resolve(name).normalize())
                    .toList();
        } catch (IOException e) {
            throw new UserException(
                    "the list of jars for executors, " + list + ", cannot be read: " + e.getMessage(), e);
        }
    }

    /** Packs a folder of classes, because Spark distributes jars only. */
    private static Path jar(Path entry) {
        if (!Files.isDirectory(entry)) {
            return entry;
        }
        try {
            Path jar = Files.createTempFile("pgkq-", ".jar");
            jar.toFile().deleteOnExit();
            try (OutputStream out = Files.newOutputStream(jar);
                    JarOutputStream into = new JarOutputStream(out);
                    Stream<Path> files = Files.walk(entry)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    into.putNextEntry(
                            new JarEntry(entry.relativize(file).toString().replace(File.separatorChar, '/')));
                    Files.copy(file, into);
                    into.closeEntry();
                }
            }
            return jar;
        } catch (IOException | UncheckedIOException e) {
            throw new UserException("cannot pack the classes in " + entry + " for the cluster: " + e.getMessage(), e);
        }
    }
}
