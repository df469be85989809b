package dev.pgkq.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExecutorClassPathTest {
    @TempDir
    private Path folder;

    private Path file(String name) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.createFile(file);
    }

    @Test
    void jarsOfTheBuildThatAreNotOnItsListStayWithTheDriver() throws IOException {
        Path app = file("build/pgkq-app-1.jar");
        Path core = file("build/pgkq-core-1.jar");
        Path spark = file("build/pgkq-spark-1.jar");
        Path server = file("build/server-7.jar");
        Path natives = file("build/openblas-2-linux.jar");
        Path task = file("mine/task.jar");
        Path classes = Files.createDirectories(folder.resolve("mine/classes"));
        Files.writeString(
                folder.resolve("build").resolve(ExecutorClassPath.LIST), "./pgkq-core-1.jar,./openblas-2-linux.jar\n");

        assertThat(ExecutorClassPath.needed(
                        List.of(app, core, spark, server, natives, task, classes), Optional.of(spark)))
                .containsExactly(core, spark, natives, task, classes);
    }

    @Test
    void withoutAListTheWholeClassPathIsNeeded() throws IOException {
        List<Path> all = List.of(file("lib/pgkq-spark-1.jar"), file("lib/mine.jar"), file("lib/server-7.jar"));

        assertThat(ExecutorClassPath.needed(all, Optional.of(all.getFirst()))).isEqualTo(all);
    }

    /** The list as the build writes it. {@code SameAnswerTest} trains on executors that have nothing else. */
    @Test
    void theListHasTheModulesAndLibrariesThatExecutorsUse() throws IOException {
        String list = Files.readString(Path.of("target", ExecutorClassPath.LIST));
        assertThat(list.strip().split(","))
                .extracting(name -> Path.of(name).getFileName().toString())
                .anyMatch(name -> name.startsWith("pgkq-core-"))
                .anyMatch(name -> name.startsWith("pgkq-mujoco-"))
                .anyMatch(name -> name.startsWith("pgkq-rewards-"))
                .anyMatch(name -> name.startsWith("openblas-"))
                .anyMatch(name -> name.startsWith("jackson-databind-"))
                .noneMatch(name -> name.matches("(pgkq-app|picocli|javalin|jetty|jfreechart|batik).*"))
                .noneMatch(name -> name.matches("(sqlite|postgresql|slf4j|spark|scala).*"))
                .noneMatch(name -> name.matches("(junit|assertj|archunit).*"));
    }
}
