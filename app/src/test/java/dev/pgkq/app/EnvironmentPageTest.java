package dev.pgkq.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.gym.TestPython;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code docs/environments.md} says to write and to type is written and typed here. Command lines are run by a shell, as
 * they are printed, with a {@code ./pgkq} that adds options for small batches.
 */
class EnvironmentPageTest {
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\\n(.*?)```", Pattern.DOTALL);

    /** A block of code, and its language; commands have none. */
    private record Block(String language, String text) {}

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void writeTheLauncher() throws IOException {
        String java = Tool.command().stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        script("pgkq", """
                if [ "$1" = train ]; then
                    set -- "$@" --batch 8 --select 4
                    case "$*" in *--iterations*) ;; *) set -- "$@" --iterations 2 ;; esac
                fi
                exec %s "$@"
                """.formatted(java));
    }

    private void script(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "#!/bin/sh\n" + text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private static List<Block> blocks() throws IOException {
        return BLOCK.matcher(Files.readString(Path.of("..", "docs", "environments.md")))
                .results()
                .map(found -> new Block(found.group(1), found.group(2)))
                .toList();
    }

    private static String block(String language, String... words) throws IOException {
        List<Block> found = blocks().stream()
                .filter(block -> block.language.equals(language))
                .filter(block -> Stream.of(words).allMatch(block.text::contains))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst().text;
    }

    /** Types a block; fails if a line of it does. Returns what was printed. */
    private String typed(String commands) throws IOException, InterruptedException {
        Path log = Files.createTempFile(folder, "typed", ".log");
        ProcessBuilder builder = new ProcessBuilder("sh", "-e", "-c", commands)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().merge("PATH", System.getProperty("java.home") + "/bin", (path, own) -> own + ":" + path);
        int code = builder.start().waitFor();
        String printed = Files.readString(log);
        assertThat(code).as(commands + printed).isZero();
        return printed;
    }

    /** As if the first commands of the page had been typed, which took their time when the tests' Python was made. */
    private void makePython() throws IOException {
        script(".venv/bin/python", "exec '" + TestPython.withGymnasium() + "' \"$@\"\n");
    }

    private String thermostat() throws IOException {
        Files.writeString(folder.resolve("thermostat.py"), block("python", "class Thermostat"));
        return block("", "--env-args");
    }

    @Test
    void theThermostatIsCheckedAndTrained() throws IOException, InterruptedException {
        makePython();
        assertThat(typed(thermostat()))
                .contains("python:thermostat:Thermostat: no error found", "finished after iteration 2 of 2");
        assertThat(folder.resolve("runs/python-thermostat-Thermostat_ppo-kq_seed1/config.yaml"))
                .content()
                .contains("leak", "time-limit: 100");
    }

    @Test
    @Tag("slow")
    void theThermostatIsTrainedWithARewardOfItsOwnExportedAndPlayed() throws IOException, InterruptedException {
        makePython();
        script(".venv/bin/pip", "true\n"); // the tests' Python has ONNX Runtime
        thermostat();
        Files.writeString(folder.resolve("comfort.py"), block("python", "def score"));
        Path example =
                Files.createDirectories(folder.resolve("examples/python")).resolve("play.py");
        Files.copy(Path.of("..", "examples", "python", "play.py"), example);

        String printed = typed(block("", "reward try"));

        assertThat(printed)
                .contains("finished after iteration 2 of 2", "over 10 episodes of python:thermostat:Thermostat");
    }

    @Test
    @Tag("slow")
    void anEnvironmentOfGymnasiumIsTrainedInAVirtualEnvironmentOfItsOwn() throws IOException, InterruptedException {
        TestPython.withGymnasium();
        assertThat(typed(block("", "pip install gymnasium"))).contains("finished after iteration 50 of 50");
    }

    @Test
    @Tag("slow")
    void aTaskInJavaIsCompiledPackedCheckedAndTrained() throws IOException, InterruptedException {
        String point = block("java", "class Point").replace("import dev.pgkq.env.*;", """
                import dev.pgkq.env.*;
                import java.util.*;""");
        String figure = block("java", "Optional<Figure> figure()");
        Path sources = Files.createDirectories(folder.resolve("src/example"));
        Files.writeString(sources.resolve("Point.java"), point.substring(0, point.lastIndexOf('}')) + figure + "}\n");
        Files.writeString(sources.resolve("MyTasks.java"), block("java", "class MyTasks"));
        String[] service = block("", "META-INF/services/").strip().split(":\\s+", 2);
        Path services = folder.resolve("src").resolve(service[0]);
        Files.createDirectories(services.getParent());
        Files.writeString(services, service[1] + "\n");
        packCore(folder.resolve(".pgkq/builds/20260101-000000-1/core.jar"));

        assertThat(typed(block("", "javac -cp"))).contains("Point-v0: no error found");

        pack(folder.resolve("classes"), folder.resolve("my-tasks.jar"));
        assertThat(typed(block("", "--env Point-v0", "my-tasks.jar")))
                .contains("Point-v0: no error found", "finished after iteration 50 of 50");
    }

    /** The launcher's builds are folders of jars; the tests have core as a jar or as a folder of classes. */
    private static void packCore(Path jar) throws IOException {
        Files.createDirectories(jar.getParent());
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            Path path = Path.of(entry);
            if (Files.exists(path.resolve("dev/pgkq/env/Environment.class"))) {
                pack(path, jar);
            } else if (String.valueOf(path.getFileName()).matches("pgkq-core-[^-]*(-SNAPSHOT)?\\.jar")) {
                Files.copy(path, jar);
            }
        }
        assertThat(jar).exists();
    }

    private static void pack(Path classes, Path jar) throws IOException {
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream packed = new JarOutputStream(file);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).toList()) {
                packed.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, packed);
            }
        }
    }
}
