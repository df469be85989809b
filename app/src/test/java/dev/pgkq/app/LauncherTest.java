package dev.pgkq.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The launcher in a repository of its own, with a Maven and JDKs that are shell scripts: the first leaves a jar where the
 * real one would, the others print what they were started with.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the launcher is a shell script")
class LauncherTest {
    private static final List<String> TOOLS = List.of(
            "sh",
            "dirname",
            "readlink",
            "uname",
            "find",
            "sed",
            "cksum",
            "sort",
            "mkdir",
            "rm",
            "date",
            "tail",
            "mv",
            "sleep",
            "ps",
            "cat");

    @TempDir
    Path temporary;

    private Path repository;
    private Path bin;
    private Path jdks;

    record Result(int exit, String out, String err) {}

    @BeforeEach
    void makeRepository() throws IOException {
        // The real path: the launcher resolves symbolic links, and some systems' temporary folder is one.
        Path root = temporary.toRealPath();
        repository = Files.createDirectory(root.resolve("a repository"));
        Path launcher = repository.resolve("pgkq");
        Files.copy(Path.of("..", "pgkq"), launcher);
        makeExecutable(launcher);
        Files.writeString(repository.resolve("pom.xml"), "<project/>");
        for (String module : List.of("core", "mujoco", "app")) {
            Files.createDirectories(repository.resolve(module).resolve("src/main/java"));
            Files.writeString(repository.resolve(module).resolve("pom.xml"), "<project/>");
            Files.writeString(source(module), "class A {}");
        }
        bin = Files.createDirectory(root.resolve("bin"));
        for (String tool : TOOLS) {
            script(bin.resolve(tool), "exec '" + locate(tool) + "' \"$@\"");
        }
        jdks = Files.createDirectory(root.resolve("jdks"));
    }

    @Test
    void buildsOnceAndRunsWhatWasBuilt() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25.0.3");

        Result first = launch("train", "--env", "two words", "");
        Result second = launch("envs");

        assertThat(first.err()).contains("Building pgkq (first use: about a minute)");
        assertThat(first.exit()).isZero();
        assertThat(first.out())
                .contains("dev.pgkq.app.Main|train|--env|two words||")
                .contains("/app.jar|");
        assertThat(second.err()).isEmpty();
        assertThat(second.out()).contains("dev.pgkq.app.Main|envs|");
        assertThat(builds()).hasSize(1);
    }

    @Test
    void worksThroughSymbolicLinksFromElsewhere() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Path link = Files.createSymbolicLink(temporary.toRealPath().resolve("link"), repository.resolve("pgkq"));
        Path linkOfLink = Files.createSymbolicLink(bin.resolve("pgkq"), link);

        Result result = run(bin, Map.of(), List.of(linkOfLink.toString(), "envs"));

        assertThat(result.out()).contains("dev.pgkq.app.Main|envs|");
        assertThat(builds()).hasSize(1);
    }

    @Test
    void changedAddedAndRemovedSourcesAreBuiltAgain() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        launch("envs");

        Files.writeString(source("core"), "class A { int changed; }");
        assertThat(launch("envs").err()).contains("the sources changed");
        Files.writeString(source("app").resolveSibling("B.java"), "class B {}");
        assertThat(launch("envs").err()).contains("the sources changed");
        Files.delete(source("app").resolveSibling("B.java"));
        assertThat(launch("envs").err()).contains("the sources changed");
        assertThat(launch("envs").err()).isEmpty();
    }

    @Test
    void oldBuildsGoExceptOneThatIsStillRunning() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Process training = start(repository, Map.of("WAIT", "60"), List.of("./pgkq", "train"));
        try (var lines = training.inputReader()) {
            assertThat(lines.readLine()).contains("|train|");
            String running = builds().getFirst();

            for (int change = 0; change < 5; change++) {
                Files.writeString(source("core"), "class A { int version = " + change + "; }");
                launch("envs");
            }

            assertThat(builds()).contains(running).hasSize(4);
        } finally {
            training.descendants().forEach(ProcessHandle::destroy);
            training.destroy();
        }
    }

    @Test
    void aFailedBuildShowsItsLogAndLeavesTheFormerBuildOutOfUse() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        launch("envs");
        script(bin.resolve("mvn"), "echo 'A.java:3: does not compile'; exit 1");
        Files.writeString(source("core"), "class A {");

        Result result = launch("envs");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err())
                .contains("A.java:3: does not compile")
                .contains("the complete log is " + repository.resolve(".pgkq/build.log"));
        assertThat(builds()).hasSize(1);
        assertThat(repository.resolve(".pgkq/lock")).doesNotExist();
    }

    @Test
    void aLockOfADeadProcessIsBroken() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Process dead = new ProcessBuilder("true").start();
        dead.waitFor();
        Files.createDirectories(repository.resolve(".pgkq/lock"));
        Files.writeString(repository.resolve(".pgkq/lock/pid"), dead.pid() + "\n");

        assertThat(launch("envs").exit()).isZero();
    }

    @Test
    void twoFirstStartsBuildOnce() throws Exception {
        script(bin.resolve("mvn"), "sleep 1\n" + FAKE_BUILD);
        fakeJdk("jdk-25", "25");

        Process one = start(repository, Map.of(), List.of("./pgkq", "envs"));
        Process other = start(repository, Map.of(), List.of("./pgkq", "envs"));

        assertThat(one.waitFor()).isZero();
        assertThat(other.waitFor()).isZero();
        assertThat(builds()).hasSize(1);
    }

    @Test
    void withoutMavenItSaysWhatToInstall() throws Exception {
        fakeJdk("jdk-25", "25");

        Result result = launch("envs");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("no mvn on the PATH").contains("package maven");
    }

    @Test
    void withoutAJdkItSaysWhereItLookedAndWhatItFound() throws Exception {
        fakeMaven();
        fakeJdk("old", "1.8.0_402");
        fakeJdk("jdk-21", "21.0.4");
        Files.delete(fakeJdk("jre-25", "25.0.1").resolve("bin/javac"));

        Result result = launch("envs");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("needs a JDK, version 25 or newer")
                .contains(jdks + "/*")
                .contains(jdks.resolve("old") + ": version 8")
                .contains(jdks.resolve("jdk-21") + ": version 21")
                .contains(jdks.resolve("jre-25") + ": version 25, but without javac")
                .contains("apt install")
                .contains("brew install")
                .contains("sdk install java 25-tem");
    }

    @Test
    void javaHomeIsTakenFirstIfItIsNewEnough() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Path early = fakeJdk("jdk-27", "27-ea");
        Path old = fakeJdk("jdk-17", "17.0.1");

        assertThat(launch(Map.of("JAVA_HOME", early.toString()), "envs").out()).startsWith(early.toString());
        assertThat(launch(Map.of("JAVA_HOME", old.toString()), "envs").out())
                .startsWith(jdks.resolve("jdk-25").toString());
    }

    @Test
    void optionsAndClassPathComeFromTheEnvironment() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");

        String jars = Files.createDirectory(repository.resolve("my jars")) + "/*";

        Result result = launch(Map.of("PGKQ_JAVA_OPTS", "-Xmx1g -Dx=y", "PGKQ_CLASSPATH", jars), "envs");

        assertThat(result.out()).contains("|-Xmx1g|-Dx=y|-cp|").contains("/app.jar:" + jars + "|dev.pgkq.app.Main|");
    }

    @Test
    void aClassPathThatNamesNothingIsAnErrorBeforeAnythingIsBuilt() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");

        Result result = launch(Map.of("PGKQ_CLASSPATH", repository + "/core:/my/jars/*:/no such/tasks.jar"), "envs");

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).startsWith("pgkq: PGKQ_CLASSPATH names /my/jars/*, which does not exist");
        assertThat(repository.resolve(".pgkq")).doesNotExist();
    }

    @Test
    void tooFewOpenFilesAreAnErrorBeforeAnythingStarts() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");

        Result result = run(repository, Map.of(), List.of("sh", "-c", "ulimit -n 40; exec ./pgkq train"));

        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("needs 256 open files, but this shell allows 40", "ulimit -n 4096");
    }

    @ParameterizedTest
    @CsvSource({
        "LC_ALL, C, C.UTF-8|",
        "LC_ALL, POSIX, C.UTF-8|",
        "LC_ALL, de_DE.UTF-8, de_DE.UTF-8|",
        "LANG, C, |C.UTF-8",
        "LANG, de_DE.ISO-8859-1, |",
        "LC_CTYPE, en_GB.UTF-8, |en_GB.UTF-8",
        "NONE, none, |C.UTF-8"
    })
    void fileNamesAreInUtf8UnlessTheLocaleSaysOtherwise(String variable, String value, String expected)
            throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");

        assertThat(launch(Map.of(variable, value), "envs").out()).contains("locale " + expected + "\n");
    }

    @Test
    void benchHasABuildOfItsOwn() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Files.createDirectories(repository.resolve("benchmarks/src/main"));
        Files.writeString(repository.resolve("benchmarks/pom.xml"), "<project/>");

        Result result = launch("bench", "gram");

        assertThat(result.out()).contains("/benchmarks.jar|dev.pgkq.benchmarks.Main|gram|");
        assertThat(repository.resolve(".pgkq/bench-current")).exists();
        assertThat(repository.resolve(".pgkq/current")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster: local[2]",
                "env: Hopper-v4\ncluster: 'local[2]'  # two cores\nseed: 1",
                "\"cluster\": \"local[2]\"\n",
                "cluster :  spark://127.0.0.1:7077\r\n"
            })
    void aClusterInTheConfigFileBringsSpark(String settings) throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Files.writeString(repository.resolve("an experiment.yaml"), settings);

        Result two = launch("train", "--config", "an experiment.yaml");
        Result joined = launch("train", "--config=an experiment.yaml", "--seed", "3");

        for (Result result : List.of(two, joined)) {
            assertThat(result.out())
                    .contains("/spark-home/jars/*|dev.pgkq.app.Main|train|--config", "address 127.0.0.1");
        }
        assertThat(repository.resolve(".pgkq/spark-current")).exists();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cluster-options: spark.executor.cores=4",
                "# cluster: local",
                "reward: |\n  cluster: local",
                "reward-on: cluster",
                ""
            })
    void aConfigFileWithoutAClusterDoesNot(String settings) throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Files.writeString(repository.resolve("experiment.yaml"), settings);

        assertThat(launch("train", "--config", "experiment.yaml").out()).doesNotContain("spark-home");
        assertThat(launch("train", "--config", "missing.yaml").out()).contains("|train|--config|missing.yaml|");
        assertThat(repository.resolve(".pgkq/spark-current")).doesNotExist();
    }

    @Test
    void theClusterOfTheCommandLineWinsOverThatOfTheConfigFile() throws Exception {
        fakeMaven();
        fakeJdk("jdk-25", "25");
        Files.writeString(repository.resolve("experiment.yaml"), "cluster: local");

        Result result = launch("train", "--config", "experiment.yaml", "--cluster", "spark://far.example:7077");

        assertThat(result.out()).contains("spark-home", "address \n");
    }

    private static final String FAKE_BUILD = """
            for argument in "$@"; do
                case $argument in
                    -Dlaunch=*) out=${argument#-Dlaunch=} ;;
                    app | benchmarks | app,spark) module=${argument%,spark} ;;
                esac
            done
            mkdir -p "$out/modules/classes"
            echo jar >"$out/$module.jar"
            """;

    private void fakeMaven() throws IOException {
        script(bin.resolve("mvn"), FAKE_BUILD);
    }

    private Path fakeJdk(String name, String version) throws IOException {
        Path home = jdks.resolve(name);
        Files.createDirectories(home.resolve("bin"));
        Files.writeString(home.resolve("release"), "IMPLEMENTOR=\"Nobody\"\nJAVA_VERSION=\"" + version + "\"\n");
        script(
                home.resolve("bin/java"),
                "printf '%s|' \"$0\" \"$@\"; echo; echo \"address ${SPARK_LOCAL_IP:-}\";"
                        + " echo \"locale ${LC_ALL:-}|${LC_CTYPE:-}\"; sleep \"${WAIT:-0}\"");
        script(home.resolve("bin/javac"), "exit 1");
        return home;
    }

    private static void script(Path file, String text) throws IOException {
        Files.writeString(file, "#!/bin/sh\n" + text + "\n");
        makeExecutable(file);
    }

    private static void makeExecutable(Path file) {
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private static Path locate(String tool) {
        return Stream.of(System.getenv("PATH").split(":"))
                .map(folder -> Path.of(folder, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + tool + " on the PATH"));
    }

    private Path source(String module) {
        return repository.resolve(module).resolve("src/main/java/A.java");
    }

    private List<String> builds() throws IOException {
        try (Stream<Path> folders = Files.list(repository.resolve(".pgkq/builds"))) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    private Result launch(String... arguments) throws IOException, InterruptedException {
        return launch(Map.of(), arguments);
    }

    private Result launch(Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("./pgkq"));
        command.addAll(List.of(arguments));
        return run(repository, environment, command);
    }

    private Result run(Path folder, Map<String, String> environment, List<String> command)
            throws IOException, InterruptedException {
        Process process = start(folder, environment, command);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Result(
                process.exitValue(),
                new String(process.getInputStream().readAllBytes(), UTF_8),
                new String(process.getErrorStream().readAllBytes(), UTF_8));
    }

    private Process start(Path folder, Map<String, String> environment, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", bin.toString());
        builder.environment().put("HOME", temporary.toString());
        builder.environment().put("PGKQ_JDK_DIRS", jdks.toString());
        builder.environment().putAll(environment);
        return builder.start();
    }
}
