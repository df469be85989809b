package dev.pgkq.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UserClassesTest {
    private final ClassLoader before = Thread.currentThread().getContextClassLoader();

    @TempDir
    private Path folder = Path.of("");

    private Path classes = Path.of("");
    private Path run = Path.of("");

    /** A folder of classes as a user would compile them, with a task and a reward. */
    @BeforeEach
    void compile() throws IOException {
        classes = folder.resolve("classes");
        run = folder.resolve("run");
        Path source = Files.createDirectories(folder.resolve("mine")).resolve("Mine.java");
        Files.writeString(source, """
                package mine;
                import dev.pgkq.env.*;
                import dev.pgkq.episode.Episode;
                import dev.pgkq.reward.EpisodeReward;
                import java.util.List;
                public final class Mine implements TaskProvider, EpisodeReward.OfWhole {
                    public List<Task> tasks() {
                        Task pendulum = new BuiltInTasks().tasks().getFirst();
                        return List.of(new Task("Mine-v0", "mine", pendulum::open));
                    }
                    public double reward(Episode episode, EnvironmentSpec spec) { return episode.actions()[0]; }
                }
                """);
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-cp",
                                System.getProperty("java.class.path"),
                                "-d",
                                classes.toString(),
                                source.toString()))
                .isZero();
        Path services = Files.createDirectories(classes.resolve("META-INF/services"));
        Files.writeString(services.resolve("dev.pgkq.env.TaskProvider"), "mine.Mine\n");
    }

    @AfterEach
    void forget() {
        Thread.currentThread().setContextClassLoader(before);
    }

    /** Runs the tool as a new process would: without the classes of earlier runs. */
    private Tool.Result run(String... args) {
        forget();
        return Tool.run(args);
    }

    private String[] training(String... more) {
        String[] usual = {"train", "--env", "Mine-v0", "--algo", "ppo", "--batch", "2", "--select", "2", "--iterations"
        };
        String[] rest = {"1", "--reward", "java:mine.Mine", "--reward-per", "episode", "--out", run.toString()};
        return Stream.of(usual, rest, more).flatMap(Arrays::stream).toArray(String[]::new);
    }

    @Test
    void aRunKeepsItsClassPathSoThatResumingAndEvaluatingFindTheClasses() {
        String relative = Path.of("")
                .toAbsolutePath()
                .relativize(classes.toAbsolutePath())
                .toString();
        Tool.Result first = run(training("--classpath", relative));
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(run.resolve("config.yaml")).content().contains("classpath: " + classes);
        Tool.Result resumed = run("train", "--resume", "--out", run.toString(), "--iterations", "2");
        assertThat(resumed.exitCode()).as(resumed.err()).isZero();
        Tool.Result evaluated = run("evaluate", run.toString(), "--episodes", "1");
        assertThat(evaluated.exitCode()).as(evaluated.err()).isZero();
        assertThat(run("envs", "--classpath", classes.toString()).out()).contains("Mine-v0");
    }

    @Test
    void aClassPathThatIsForgottenOrWrongIsNamed() {
        Tool.Result forgotten = run(training());
        assertThat(forgotten.exitCode()).isEqualTo(2);
        assertThat(forgotten.err().replaceAll("\\s+", " "))
                .contains("unknown task 'Mine-v0'", "--classpath PATH, or PGKQ_CLASSPATH, which is not set");
        Tool.Result wrong = run(training("--classpath", classes + "x"));
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err().replaceAll("\\s+", " "))
                .contains("--classpath names " + classes + "x, which does not exist");
        assertThat(run).doesNotExist();
    }
}
