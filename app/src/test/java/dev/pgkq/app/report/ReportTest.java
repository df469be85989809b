package dev.pgkq.app.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.app.Tool;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.plot.Figure;
import dev.pgkq.app.plot.LineStyle;
import dev.pgkq.app.plot.Panel;
import dev.pgkq.app.study.Axis;
import dev.pgkq.app.study.Budget;
import dev.pgkq.app.study.GridFile;
import dev.pgkq.app.study.ReturnThresholds;
import dev.pgkq.app.study.RunFinder;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.app.study.SummaryBuilder;
import dev.pgkq.app.study.SyntheticRuns;
import dev.pgkq.app.terminal.Shell;
import dev.pgkq.rewards.files.Csv;
import dev.pgkq.train.Algorithm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files that {@code pgkq plot} writes. */
class ReportTest {
    private static final Algorithm KQ = Algorithm.named("ppo-kq");

    @TempDir
    private Path folder = Path.of("");

    private String plot(String... options) throws IOException {
        String[] args = Stream.concat(Stream.of("plot", folder.toString()), Stream.of(options))
                .toArray(String[]::new);
        Tool.Result result = Tool.run(args);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return Files.readString(folder.resolve("report.html"));
    }

    @Test
    void everyNumberOfTheSummaryCanBeReadBack() throws IOException {
        SyntheticRuns.under(folder, 12).grid(List.of("Hopper-v4"), 2);
        SyntheticRuns.under(folder.resolve("more"), 12)
                .with(Setting.QUADRATURE, "herding")
                .finished("Hopper-v4", KQ, 1);
        plot("--threshold", "Hopper-v4=1e7", "--budget", "72");
        Study study = Study.of(RunFinder.find(List.of(folder), _ -> {}));
        Summary summary =
                SummaryBuilder.build(study, ReturnThresholds.of(List.of("Hopper-v4=1e7"), study), new Budget(72));

        List<Map<String, String>> read = CsvReader.read(Files.readString(folder.resolve("summary.csv")));

        assertThat(read).hasSameSizeAs(summary.rows());
        for (int i = 0; i < read.size(); i++) {
            Summary.Row row = summary.rows().get(i);
            Map<String, String> cells = read.get(i);
            assertThat(cells)
                    .containsEntry("task", row.task())
                    .containsEntry("base", row.base())
                    .containsEntry("variant", row.variant())
                    .containsEntry("label", row.label())
                    .containsEntry("statistic", row.statistic().key())
                    .containsEntry("n", Integer.toString(row.count()));
            assertThat(number(cells, "value")).isEqualTo(Double.valueOf(row.value()));
            assertThat(number(cells, "low"))
                    .isEqualTo(Double.valueOf(row.interval().low()));
            assertThat(number(cells, "high"))
                    .isEqualTo(Double.valueOf(row.interval().high()));
        }
        assertThat(read).extracting(row -> row.get("label")).contains("kq, quadrature herding");
        assertThat(read).extracting(row -> row.get("value")).contains("inf");
        assertThat(read).extracting(row -> row.get("statistic")).contains("return_at_budget", "auc_to_budget");
    }

    @Test
    void curvesContainTheMeansOverSeeds() throws IOException {
        SyntheticRuns runs = SyntheticRuns.under(folder, 6);
        Path first = runs.finished("Hopper-v4", KQ, 1);
        Path second = runs.finished("Hopper-v4", KQ, 2);
        plot();
        List<Map<String, String>> points = CsvReader.read(Files.readString(folder.resolve("curves.csv"))).stream()
                .filter(row -> "return".equals(row.get("quantity")) && "iteration".equals(row.get("axis")))
                .toList();
        assertThat(points).hasSize(6);
        double one = returns(first).get(3);
        double two = returns(second).get(3);
        assertThat(number(points.get(3), "mean")).isCloseTo((one + two) / 2, within(1e-3));
        // for two values, half their distance
        assertThat(number(points.get(3), "standard_error")).isCloseTo(Math.abs(one - two) / 2, within(1e-3));
    }

    @Test
    void thePageIsSelfContained() throws IOException {
        SyntheticRuns.under(folder, 5).grid(List.of("Hopper-v4", "Walker2d-v4"), 2);
        String page = plot();
        assertThat(page).doesNotContain("<script", "<link", "<img", "src=", "@import", "url(http", folder.toString());
        assertThat(page).contains("All runs have finished", "OpenBLAS synthetic", "percentile bootstrap");
        assertThat(page)
                .contains("for seed in 1 2; do ./pgkq train --env Walker2d-v4 --algo vpg-kq-plus --iterations 5 --seed"
                        + " $seed; done");
        try (Stream<Path> files = Files.list(folder.resolve("figures"))) {
            assertThat(files.map(file -> file.getFileName().toString()).collect(Collectors.toSet()))
                    .hasSize(2 * (1 + 3 + 4 * 4))
                    .contains(
                            "overall.svg",
                            "all-by-iterations.png",
                            "hopper-v4-ppo-return-by-iterations.svg",
                            "hopper-v4-vpg-return-by-steps.png",
                            "walker2d-v4-ppo-return-by-reward-evaluations.svg",
                            "walker2d-v4-ppo-wce-ratio.svg");
        }
    }

    @Test
    @Tag("slow")
    void figuresByPaidRewardsComeFirst() throws IOException {
        SyntheticRuns.under(folder, 5).grid(List.of("Hopper-v4", "Walker2d-v4"), 1);
        String page = plot();
        assertThat(page.indexOf("Mean return by reward evaluations (paid episodes), all tasks."))
                .isPositive()
                .isLessThan(page.indexOf("Mean return by iteration, all tasks."));
        assertThat(page.indexOf("Mean return by reward evaluations. Single"))
                .isPositive()
                .isLessThan(page.indexOf("Mean return by iteration. Single"));
    }

    @Test
    void rewardsFromOutsideAreTheReturnAndTheTasksOwnIsBesideThem() throws IOException {
        SyntheticRuns runs = SyntheticRuns.under(folder, 6).with(Setting.REWARD, "exec:sh judge.sh");
        Path run = runs.finished("Hopper-v4", KQ, 1);
        String page = plot();
        assertThat(page)
                .contains("mean return (paid rewards)", "mean return (task's own reward)")
                .contains(
                        "Hopper-v4 (reward exec:sh judge.sh), PPO; iterations 1 to 6; returns are those of the rewards"
                                + " paid for")
                .contains("<th scope=\"col\">final return, task&#39;s own reward</th>");
        assertThat(curve("return")).usingElementComparator(ReportTest::nearly).isEqualTo(column(run, "paid_return"));
        assertThat(curve("task_return"))
                .usingElementComparator(ReportTest::nearly)
                .isEqualTo(column(run, "return_mean"));
        assertThat(folder.resolve(
                        "figures/hopper-v4-reward-exec-sh-judge.sh-ppo-task-return-by-reward-evaluations.png"))
                .exists();
    }

    private static int nearly(double one, double other) {
        return Math.abs(one - other) <= 1e-6 * Math.abs(other) ? 0 : Double.compare(one, other);
    }

    /** The means of a quantity by iteration. */
    private List<Double> curve(String quantity) throws IOException {
        return CsvReader.read(Files.readString(folder.resolve("curves.csv"))).stream()
                .filter(row -> quantity.equals(row.get("quantity")) && "iteration".equals(row.get("axis")))
                .map(row -> number(row, "mean"))
                .toList();
    }

    @Test
    void runsOfTheTasksOwnRewardHaveNoSecondReturn() throws IOException {
        SyntheticRuns.under(folder, 5).finished("Hopper-v4", KQ, 1);
        assertThat(plot()).doesNotContain("(paid rewards)", "own reward</th>", "rewards paid for\"");
        assertThat(curve("task_return")).isEmpty();
    }

    /** Every comparison is a figure of its own, and a label has the same line everywhere. */
    @Test
    void tasksArePanelsAndEqualLabelsHaveEqualLines() throws IOException {
        for (String task : List.of("Hopper-v4", "Swimmer-v4", "Walker2d-v4")) {
            SyntheticRuns.under(folder.resolve("a"), 5)
                    .with(Setting.QUADRATURE, "thinning")
                    .finished(task, KQ, 1);
            SyntheticRuns.under(folder.resolve("b"), 5)
                    .with(Setting.QUADRATURE, "herding")
                    .finished(task, KQ, 1);
        }
        SyntheticRuns.under(folder.resolve("c"), 5).finished("Walker2d-v4", KQ, 1);
        Study study = Study.of(RunFinder.find(List.of(folder), _ -> {}));
        StudyFigures figures = StudyFigures.of(study);
        Panel panel = figures.panel(Axis.ITERATIONS);
        assertThat(panel.rows()).extracting(List::size).containsExactly(2, 1);
        Map<String, LineStyle> seen = new HashMap<>();
        for (Figure figure : panel.rows().stream()
                .flatMap(List::stream)
                .flatMap(Optional::stream)
                .toList()) {
            assertThat(figure.lines().stream().map(line -> line.style().colour()))
                    .doesNotHaveDuplicates();
            figure.lines()
                    .forEach(line -> assertThat(seen.merge(line.label(), line.style(), (first, _) -> first))
                            .isSameAs(line.style()));
        }
        assertThat(seen).containsOnlyKeys("kq, quadrature thinning", "kq, quadrature herding", "kq, quadrature search");
    }

    @Test
    void textFromDiskIsEscaped() throws IOException {
        String evil = "<script>alert('x')</script>&\"";
        SyntheticRuns runs = SyntheticRuns.under(folder, 10).inGrid();
        runs.finished("Hopper-v4", KQ, 1);
        runs.run("<b>Task</b>", KQ, 1, 9, "failed", Map.of("message", evil));
        Files.writeString(folder.resolve("reproduce.yaml"), "command: \"pgkq reproduce <i>all</i>\"\n");
        String page = plot("--title", evil);
        assertThat(page)
                .doesNotContain("<script", "<b>Task", "<i>all")
                .contains(
                        "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;", "&lt;b&gt;Task", "&lt;i&gt;all");
    }

    @Test
    void failedUnfinishedAndMissingRunsAreListedWithReasons() throws IOException {
        SyntheticRuns runs = SyntheticRuns.under(folder, 10);
        runs.finished("Hopper-v4", KQ, 1);
        runs.run("Hopper-v4", KQ, 2, 8, "failed", Map.of("message", "the disk is full"));
        runs.run("Hopper-v4", KQ, 3, 2, "", Map.of());
        runs.finished("Hopper-v4", Algorithm.named("ppo"), 1);
        assertThat(plot())
                .contains(
                        "<b>Hopper-v4_ppo-kq_seed2</b>, in the figures with 8 of 10 iterations: failed: the disk is full",
                        "<b>Hopper-v4_ppo-kq_seed3</b>, left out: 2 iterations, less than half of the 10 of its group; no"
                                + " end recorded",
                        "<b>missing</b>: Hopper-v4, ppo: small with seed 2")
                .contains("iterations 1 to 8");
    }

    @Test
    void theBudgetTableShowsWhatRunsAchieved() throws IOException {
        SyntheticRuns runs = SyntheticRuns.under(folder, 40);
        runs.finished("Hopper-v4", KQ, 1);
        runs.finished("Hopper-v4", KQ, 2);
        runs.run("Hopper-v4", KQ, 3, 24, "stopped", Map.of());
        runs.run("Hopper-v4", Algorithm.named("ppo"), 1, 23, "stopped", Map.of());
        String page = plot();
        assertThat(page)
                .contains("Return for 200 paid rewards", "return at 200", "mean return up to 200")
                .contains("Hopper-v4, PPO; a budget of 176 would include all runs", "<td>2 of 3</td>")
                .contains("<td>0 of 1</td><td>not reached <small>(176 spent)</small></td><td>not reached</td>");
        assertThat(plot("--budget", "176"))
                .contains("<td>3 of 3</td>", "<td>1 of 1</td>")
                .doesNotContain("would include all runs");
        assertThat(plot("--budget", "1500"))
                .contains(
                        "Hopper-v4, PPO: no run spent 1,500 reward evaluations before its last iteration; the largest number is"
                                + " 312.")
                .doesNotContain("return at 1,500", "not reached <small>(");
    }

    @Test
    @Tag("slow")
    void gridsAreRepeatedByTheirCommandsAndOtherRunsIndividually() throws IOException {
        Path one = folder.resolve("one");
        Path two = folder.resolve("two");
        SyntheticRuns.under(one, 5).inGrid().finished("Hopper-v4", KQ, 1);
        SyntheticRuns.under(one, 5).inGrid().finished("Hopper-v4", KQ, 2);
        SyntheticRuns.under(one, 5).inGrid().finished("Walker2d-v4", KQ, 1);
        SyntheticRuns.under(one, 5).finished("Walker2d-v4", Algorithm.named("ppo"), 1);
        SyntheticRuns.under(two, 5).inGrid().finished("Hopper-v4", Algorithm.named("ppo"), 1);
        new GridFile(one).add("./pgkq reproduce --seeds 1 --out one");
        new GridFile(one).add("./pgkq reproduce --seeds 2 --out one");
        new GridFile(two).add("./pgkq reproduce --out two");
        assertThat(repeated(plot()))
                .containsExactly(
                        "./pgkq reproduce --seeds 1 --out one",
                        "./pgkq reproduce --seeds 2 --out one",
                        "./pgkq reproduce --out two",
                        "./pgkq train --env Walker2d-v4 --algo ppo --iterations 5 --seed 1");
        Path out = folder.resolve("together");
        Tool.run("plot", two.toString(), one.toString(), "--out", out.toString());
        assertThat(repeated(Files.readString(out.resolve("report.html")))).hasSize(4);
    }

    @Test
    void aSingleComparisonHasNoFigureOfAllComparisons() throws IOException {
        SyntheticRuns.under(folder, 5).finished("Hopper-v4", KQ, 1);
        plot();
        try (Stream<Path> files = Files.list(folder.resolve("figures"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .hasSize(2 * 4)
                    .allMatch(name -> name.startsWith("hopper-v4-ppo-"));
        }
    }

    private static List<String> repeated(String page) {
        String section = page.substring(page.indexOf("id=\"repeat\""));
        return section.substring(section.indexOf("<code>") + 6, section.indexOf("</code>"))
                .lines()
                .toList();
    }

    @Test
    void textIsEscapedForElementsAttributesAndShells() {
        assertThat(Html.escape("a<b>\"c\"&'d'\u0000")).isEqualTo("a&lt;b&gt;&quot;c&quot;&amp;&#39;d&#39;\ufffd");
        assertThat(Html.figure("<svg width=\"1\"></svg>", "50 $ \"or\" more"))
                .contains("aria-label=\"50 $ &quot;or&quot; more\" width=\"1\"");
        assertThat(Shell.quoted("plain-1.5")).isEqualTo("plain-1.5");
        assertThat(Shell.quoted("it's; rm")).isEqualTo("'it'\\''s; rm'");
        assertThat(Csv.line("a,b", "say \"x\"", 1.5, Double.NaN, Double.POSITIVE_INFINITY, 3))
                .isEqualTo("\"a,b\",\"say \"\"x\"\"\",1.5,,inf,3\n");
    }

    private static double number(Map<String, String> row, String column) {
        String text = row.getOrDefault(column, "");
        return switch (text) {
            case "" -> Double.NaN;
            case "inf" -> Double.POSITIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }

    private static List<Double> returns(Path run) throws IOException {
        return column(run, "return_mean");
    }

    private static List<Double> column(Path run, String name) throws IOException {
        return CsvReader.read(Files.readString(run.resolve("metrics.csv"))).stream()
                .map(row -> number(row, name))
                .toList();
    }
}
