package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReproduceCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static String[] grid(Path out, String... more) {
        return Stream.concat(
                        Stream.of(
                                "reproduce",
                                "--tasks",
                                "Pendulum-v1",
                                "--bases",
                                "ppo",
                                "--variants",
                                "small,kq-plus",
                                "--seeds",
                                "2",
                                "--iterations",
                                "5",
                                "--jobs",
                                "2",
                                "--set",
                                "batch=6",
                                "--set",
                                "select=2",
                                "--set",
                                "mean-epochs=2",
                                "--out",
                                out.toString()),
                        Arrays.stream(more))
                .toArray(String[]::new);
    }

    private static List<Path> runs(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> file.endsWith("metrics.csv"))
                    .map(file -> root.relativize(file.getParent()))
                    .sorted()
                    .toList();
        }
    }

    private static void same(Path one, Path other) throws IOException {
        assertThat(runs(other)).isEqualTo(runs(one)).hasSize(4);
        for (Path run : runs(one)) {
            Metrics a = Metrics.read(one.resolve(run).resolve("metrics.csv"));
            Metrics b = Metrics.read(other.resolve(run).resolve("metrics.csv"));
            assertThat(a.size()).isEqualTo(5);
            for (String column : a.columns()) {
                if (!column.startsWith("seconds_")) {
                    assertThat(b.column(column)).as(run + " " + column).isEqualTo(a.column(column));
                }
            }
        }
    }

    @Test
    void killedAndContinuedEqualsUninterrupted() throws IOException, InterruptedException {
        Path whole = folder.resolve("whole");
        assertThat(Tool.run(grid(whole)).exitCode()).isZero();
        Path killed = folder.resolve("killed");
        Path log = folder.resolve("log");
        boolean interrupted = false;
        for (int attempt = 0; attempt < 3; attempt++) {
            Process process = Tool.start(log, grid(killed));
            if (!process.waitFor(1500 + 700L * attempt, TimeUnit.MILLISECONDS)) {
                process.destroyForcibly().waitFor();
                interrupted = true;
            }
        }
        assertThat(interrupted).as("it was killed at least once").isTrue();
        Tool.Result result = Tool.run(grid(killed));
        assertThat(result.exitCode()).as(result.err()).isZero();
        same(whole, killed);
        assertThat(Tool.run(grid(killed)).out())
                .contains("4 runs of 5 iterations")
                .contains("4 finished already");
    }

    @Test
    void aRunThatFailsIsNamedAndTheOthersGoOn() throws IOException {
        Path out = folder.resolve("failing");
        Tool.Result result = Tool.run(
                "reproduce",
                "--tasks",
                "Priceless-v0,Pendulum-v1",
                "--bases",
                "ppo",
                "--variants",
                "small",
                "--seeds",
                "1",
                "--iterations",
                "2",
                "--set",
                "batch=4",
                "--out",
                out.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out()).contains("failed: Priceless-v0 ppo 1: the reward of Priceless-v0 is NaN");
        assertThat(Metrics.read(out.resolve("Pendulum-v1/ppo/seed1/metrics.csv"))
                        .size())
                .isEqualTo(2);
    }

    @Test
    void wrongNamesAreAnsweredWithTheNearest() {
        assertThat(Tool.run("reproduce", "--variants", "kq-pls", "--out", "x").err())
                .contains("--variants knows no 'kq-pls'")
                .contains("kq-plus");
        assertThat(Tool.run("reproduce", "--tasks", "Hoper-v4", "--out", "x").err())
                .contains("Hopper-v4");
        assertThat(Tool.run("reproduce", "--preset", "quik", "--out", "x").err())
                .contains("quick");
        assertThat(Tool.run("reproduce", "--set", "bach=4", "--out", "x").err()).contains("batch");
        assertThat(Tool.run("reproduce", "--set", "seed=7", "--out", "x").err()).contains("is for the grid to say");
        assertThat(Tool.run("reproduce", "--seeds", "0", "--out", "x").err()).contains("--seeds needs");
        assertThat(Path.of("x")).doesNotExist();
    }
}
