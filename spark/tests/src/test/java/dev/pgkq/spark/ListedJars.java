package dev.pgkq.spark;

import dev.pgkq.env.Task;
import dev.pgkq.mujoco.Mujoco;
import dev.pgkq.rewards.oracle.Evaluator;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The jars for executors, as the build lists them. */
final class ListedJars {
    /** In a build of several modules, their classes may be in folders. */
    private static final Map<String, Class<?>> MODULES =
            Map.of("pgkq-core", Task.class, "pgkq-mujoco", Mujoco.class, "pgkq-rewards", Evaluator.class);

    private ListedJars() {}

    private static List<String> names() throws IOException {
        String list = Files.readString(Path.of("..", "target", ExecutorClassPath.LIST));
        return Arrays.stream(list.strip().split(","))
                .map(name -> Path.of(name).getFileName().toString())
                .toList();
    }

    /** A class path of them and of the classes that use Spark. */
    static String classPath() throws IOException {
        return Stream.concat(
                        Stream.of(place(ExecutorClassPath.class)),
                        names().stream().map(ListedJars::place))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String place(String name) {
        return MODULES.entrySet().stream()
                .filter(module -> name.startsWith(module.getKey() + "-"))
                .map(module -> place(module.getValue()))
                .findFirst()
                .orElseGet(() -> Arrays.stream(
                                System.getProperty("java.class.path").split(File.pathSeparator))
                        .filter(entry -> Path.of(entry).endsWith(name))
                        .findFirst()
                        .orElseThrow(() -> new IllegalStateException(name + " is not on the class path")));
    }

    private static String place(Class<?> type) {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
                .toString();
    }
}
