package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.study.GridFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReproduceCommandTest {
    @TempDir
    private Path folder = Path.of("");

    private static String[] grid(Path out) {
        return grid(out, 2);
    }

    private static String[] grid(Path out, int seeds, String... more) {
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
                                Integer.toString(seeds),
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
    @Tag("slow")
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
    void whereEveryRunFailsTheFailuresAreNamedAndNothingIsDrawn() {
        Path out = folder.resolve("hopeless");
        Tool.Result result = Tool.run(
                "reproduce",
                "--tasks",
                "Priceless-v0,Faulty-v0",
                "--bases",
                "ppo",
                "--variants",
                "small,kq",
                "--seeds",
                "1",
                "--iterations",
                "2",
                "--set",
                "batch=4",
                "--set",
                "select=2",
                "--out",
                out.toString());
        assertThat(result.exitCode()).isEqualTo(1);
        assertThat(result.out())
                .contains("no time estimate")
                .contains("failed: Priceless-v0 ppo 1: the reward of Priceless-v0 is NaN")
                .contains("failed: Priceless-v0 ppo-kq 1: the reward of Priceless-v0 is NaN")
                .containsPattern("failed: Faulty-v0 ppo 1: .*the simulator is gone")
                .containsPattern("failed: Faulty-v0 ppo-kq 1: .*the simulator is gone");
        assertThat(result.err().lines())
                .singleElement()
                .asString()
                .startsWith("pgkq: all 4 runs failed before finishing an iteration");
        assertThat(out.resolve("report.html")).doesNotExist();
    }

    @Test
    @Tag("slow")
    void aGridThatGrewIsRepeatedByAllItsCommands() throws IOException {
        Path out = folder.resolve("growing runs");
        assertThat(Tool.run(grid(out, 1)).exitCode()).isZero();
        assertThat(Tool.run(grid(out, 2, "--budget", "7")).exitCode()).isZero();
        String rest = " --iterations 5 --set batch=6 --set select=2 --set mean-epochs=2";
        String grid = "pgkq reproduce --tasks Pendulum-v1 --bases ppo --variants small,kq-plus --seeds ";
        List<String> commands = new GridFile(out).commands();
        assertThat(commands)
                .containsExactly(
                        grid + "1" + rest + " --out '" + out + "'",
                        grid + "2" + rest + " --budget 7 --out '" + out + "'");
        assertThat(Files.readString(out.resolve("report.html")))
                .contains("Return for 7 paid rewards", "return at 7")
                .contains(commands.stream()
                        .map(command -> command.replace("'", "&#39;"))
                        .toList());
    }

    @Test
    void wrongNamesAreAnsweredWithTheNearest() {
        assertThat(Tool.run("reproduce", "--variants", "kq-pls", "--out", "x").err())
                .contains("--variants: unknown name 'kq-pls'")
                .contains("kq-plus");
        assertThat(Tool.run("reproduce", "--tasks", "Hoper-v4", "--out", "x").err())
                .contains("Hopper-v4");
        assertThat(Tool.run("reproduce", "--grid", "quik", "--out", "x").err()).contains("quick");
        assertThat(Tool.run("reproduce", "--set", "bach=4", "--out", "x").err()).contains("batch");
        assertThat(Tool.run("reproduce", "--set", "seed=7", "--out", "x").err()).contains("is set by the grid");
        assertThat(Tool.run("reproduce", "--seeds", "0", "--out", "x").err()).contains("--seeds needs");
        assertThat(Tool.run("reproduce", "--budget", "0", "--out", "x").err()).contains("--budget needs");
        assertThat(Path.of("x")).doesNotExist();
    }
}
