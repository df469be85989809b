package dev.pgkq.spark;

import dev.pgkq.text.UserException;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;

/**
 * What executors need of this process: its class path, but for Spark's own, and options of its JVM. An executor on this
 * machine reads the same files; others are sent them.
 */
final class ExecutorClassPath {
    private static final String JARS = "spark.jars";
    private static final String EXECUTOR_OPTIONS = "spark.executor.extraJavaOptions";
    private static final String OPTIONS = "--enable-native-access=ALL-UNNAMED --add-modules=jdk.incubator.vector";

    private ExecutorClassPath() {}

    static void pack(SparkConf conf) {
        String mujoco = System.getProperty("pgkq.mujoco", "");
        String options = OPTIONS + (mujoco.isEmpty() ? "" : " \"-Dpgkq.mujoco=" + mujoco + "\"");
        conf.set(EXECUTOR_OPTIONS, (options + " " + conf.get(EXECUTOR_OPTIONS, "")).strip());
        if (conf.contains("spark.submit.deployMode")) {
            return; // spark-submit has seen to it
        }
        List<Path> classPath = classPath();
        String master = conf.get("spark.master");
        if (master.startsWith("local")) {
            conf.setIfMissing("spark.executor.extraClassPath", joined(classPath, File.pathSeparator));
        } else {
            String own = joined(classPath.stream().map(ExecutorClassPath::jar).toList(), ",");
            conf.set(JARS, conf.contains(JARS) ? own + "," + conf.get(JARS) : own);
        }
    }

    private static String joined(List<Path> paths, String separator) {
        return String.join(separator, paths.stream().map(Path::toString).toList());
    }

    private static List<Path> classPath() {
        Optional<Path> spark = Optional.ofNullable(System.getenv("SPARK_HOME"))
                .map(home -> Path.of(home).toAbsolutePath().resolve("jars"));
        List<Path> entries = new ArrayList<>();
        Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
                .filter(entry -> !entry.isEmpty())
                .map(entry -> Path.of(entry).toAbsolutePath())
                .filter(entry -> Files.exists(entry)
                        && !spark.map(entry.normalize()::startsWith).orElse(false)
                        && !isSparks(entry))
                .forEach(entries::add);
        return entries;
    }

    /** In a build of Maven's, Spark's jars are among the others. */
    private static boolean isSparks(Path entry) {
        String path = entry.toString().replace(File.separatorChar, '/');
        return path.contains("/org/apache/spark/") || path.contains("/org/scala-lang/");
    }

    /** A folder of classes is sent as a jar. */
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
            throw new UserException(
                    "the classes in " + entry + " cannot be packed for the cluster: " + e.getMessage(), e);
        }
    }
}
