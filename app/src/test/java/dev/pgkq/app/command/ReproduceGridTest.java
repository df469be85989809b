package dev.pgkq.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.study.GridFile;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** Exactly which runs each grid consists of. */
class ReproduceGridTest {
    private static final List<String> VARIANTS = List.of("", "-kq", "-kq-no-mean", "-large");

    @TempDir
    private Path folder = Path.of("");

    /** What identifies a run of a grid. */
    private record Run(String task, String algorithm, String seed, String iterations, String preset) {}

    private static List<Grid.Cell> cells(String... options) {
        ReproduceCommand command = new ReproduceCommand();
        new CommandLine(command).parseArgs(options);
        return command.grid().cells(Path.of("grid"));
    }

    private static List<Run> runs(String... options) {
        return cells(options).stream()
                .map(cell -> {
                    RunConfig config = RunConfig.of(cell.settings());
                    assertThat(cell.directory())
                            .isEqualTo(new RunDirectory(Path.of(
                                    "grid",
                                    config.text(Setting.ENV),
                                    config.text(Setting.ALGO),
                                    "seed" + config.text(Setting.SEED))));
                    return new Run(
                            config.text(Setting.ENV),
                            config.text(Setting.ALGO),
                            config.text(Setting.SEED),
                            config.text(Setting.ITERATIONS),
                            config.text(Setting.PRESET));
                })
                .toList();
    }

    private static List<Run> expected(
            List<String> tasks, List<String> bases, int seeds, String iterations, String preset) {
        List<Run> runs = new ArrayList<>();
        for (int seed = 1; seed <= seeds; seed++) {
            for (String task : tasks) {
                for (String base : bases) {
                    for (String variant : VARIANTS) {
                        runs.add(new Run(task, base + variant, Integer.toString(seed), iterations, preset));
                    }
                }
            }
        }
        return runs;
    }

    @Test
    void theQuickGridIsAFirstLookAtOneTask() {
        assertThat(runs("--grid", "quick"))
                .hasSize(8)
                .isEqualTo(expected(List.of("InvertedDoublePendulum-v4"), List.of("ppo"), 2, "40", "standard"))
                .isEqualTo(runs());
    }

    @Test
    void thePaperGridIsThePaperToTheLetter() {
        assertThat(runs("--grid", "paper"))
                .hasSize(320)
                .isEqualTo(expected(
                        List.of("InvertedDoublePendulum-v4", "Hopper-v4", "HalfCheetah-v4", "Walker2d-v4"),
                        List.of("vpg", "ppo"),
                        10,
                        "500",
                        "paper"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"quick", "paper"})
    void aGridSetsNothingElse(String grid) {
        Set<Setting> usual = Set.of(Setting.ENV, Setting.ALGO, Setting.SEED, Setting.ITERATIONS, Setting.KEEP_EPISODES);
        assertThat(cells("--grid", grid)).allSatisfy(cell -> {
            assertThat(cell.settings()).containsKeys(usual.toArray(Setting[]::new));
            assertThat(cell.settings()).hasSize(usual.size() + (grid.equals("paper") ? 1 : 0));
        });
    }

    @Test
    void optionsReplacePartsOfANamedGrid() {
        assertThat(runs(
                        "--grid",
                        "paper",
                        "--tasks",
                        "Hopper-v4",
                        "--bases",
                        "vpg",
                        "--variants",
                        "kq",
                        "--seeds",
                        "1"))
                .containsExactly(new Run("Hopper-v4", "vpg-kq", "1", "500", "paper"));
        assertThat(runs("--grid", "paper", "--set", "preset=standard"))
                .hasSize(320)
                .extracting(Run::preset)
                .containsOnly("standard");
    }

    @Test
    void seedsMayBeARange() {
        assertThat(runs("--variants", "kq", "--seeds", "11-13"))
                .extracting(Run::seed)
                .containsExactly("11", "12", "13");
        for (String wrong : List.of("0", "0-2", "5-3", "3-", "x", "1,2", "99999999999")) {
            assertThatThrownBy(() -> runs("--seeds", wrong))
                    .isInstanceOf(UserException.class)
                    .hasMessage("--seeds needs a whole number of at least 1, or a range such as 11-15, got '" + wrong
                            + "'");
        }
    }

    @Test
    void thePapersPresetGoesWithEveryGridWithoutVariantsOfOurOwn() {
        assertThat(runs("--set", "preset=paper"))
                .hasSize(8)
                .extracting(Run::preset)
                .containsOnly("paper");
        assertThat(runs("--variants", "random,random-mean,impute,model-only", "--set", "preset=paper"))
                .hasSize(8)
                .extracting(Run::preset)
                .containsOnly("paper");
        for (String ours : List.of("kq-plus", "kq-bayes", "random-bayes")) {
            assertThatThrownBy(() -> runs("--variants", "kq," + ours, "--set", "preset=paper"))
                    .isInstanceOf(UserException.class)
                    .hasMessageStartingWith("--set preset=paper cannot be combined with the variant " + ours);
        }
        assertThatThrownBy(() -> runs("--grid", "paper", "--variants", "kq-plus"))
                .isInstanceOf(UserException.class)
                .hasMessageStartingWith("--grid paper cannot be combined with the variant kq-plus");
    }

    /** With tiny settings. The recorded command does not name the grid, since named grids may change. */
    @Test
    @Tag("slow")
    void thePaperGridUsesThePapersPresetAndItsRecordedCommandRepeatsIt() {
        Path out = folder.resolve("paper");
        List<String> small = List.of("--tasks", "Pendulum-v1", "--bases", "ppo", "--variants", "small", "--seeds", "1");
        List<String> args = new ArrayList<>(List.of("reproduce", "--grid", "paper", "--out", out.toString()));
        args.addAll(small);
        args.addAll(List.of("--iterations", "1", "--set", "select=4"));
        Tool.Result result = Tool.run(args.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(out.resolve("Pendulum-v1/ppo/seed1/config.yaml")).content().contains("preset: paper\n");
        String command = "pgkq reproduce " + String.join(" ", small) + " --iterations 1 --set preset=paper"
                + " --set select=4 --out " + out;
        assertThat(new GridFile(out).commands()).containsExactly(command);

        List<String> words = List.of(command.split(" "));
        Tool.Result again = Tool.run(words.subList(1, words.size()).toArray(String[]::new));
        assertThat(again.exitCode()).as(again.err()).isZero();
        assertThat(again.out()).contains("1 run of 1 iteration", "1 finished already");
        assertThat(new GridFile(out).commands()).containsExactly(command);
    }
}
