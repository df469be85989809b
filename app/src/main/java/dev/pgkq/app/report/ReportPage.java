package dev.pgkq.app.report;

import dev.pgkq.app.run.RunHistory.Setup;
import dev.pgkq.app.run.RunHistory.State;
import dev.pgkq.app.study.Axis;
import dev.pgkq.app.study.Comparison;
import dev.pgkq.app.study.ExcludedRun;
import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.StudyRun;
import dev.pgkq.app.study.Summary;
import dev.pgkq.platform.Platform;
import dev.pgkq.text.Durations;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** {@code report.html}: a single file that needs neither network nor scripts. */
final class ReportPage {
    private final String title;
    private final Study study;
    private final StudyFigures figures;
    private final Tables tables;
    private final BudgetSection budget;
    private final Findings findings;
    private final List<String> commands;
    /** The figures as SVG, by name. */
    private final Map<String, String> pictures;

    ReportPage(
            String title,
            StudyFigures figures,
            Summary summary,
            Tables tables,
            BudgetSection budget,
            List<String> commands,
            Map<String, String> pictures) {
        this.title = title;
        this.study = figures.study();
        this.figures = figures;
        this.tables = tables;
        this.budget = budget;
        this.findings = new Findings(study, summary);
        this.commands = commands;
        this.pictures = pictures;
    }

    String html() {
        String body =
                heading() + figures() + numbers() + budget.html() + repeat() + problems() + machine() + definitions();
        return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                + "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                + Html.text("title", title) + "\n<style>\n" + css() + "</style>\n</head>\n<body>\n<main>\n" + body
                + "</main>\n</body>\n</html>\n";
    }

    private static String css() {
        try (InputStream css = ReportPage.class.getResourceAsStream("report.css")) {
            if (css == null) {
                throw new IllegalStateException("report.css is missing from the jar");
            }
            return new String(css.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String heading() {
        List<String> sentences = findings.sentences();
        String overall = pictures.containsKey("overall")
                ? picture(
                        "overall",
                        "AUC of each variant, normalised to 0 for the small and 1 for the large batch: interquartile mean over all"
                                + " runs of all tasks, with 95 % bootstrap intervals.")
                : "";
        return Html.text("h1", title) + "\n<p class=\"lead\">" + Html.escape(compared()) + "</p>\n"
                + "<nav><a href=\"#curves\">Learning curves</a> <a href=\"#numbers\">Numbers</a>"
                + " <a href=\"#" + BudgetSection.ID + "\">" + Html.escape(budget.title()) + "</a>"
                + " <a href=\"#repeat\">Repeat</a> <a href=\"#runs\">Runs</a> <a href=\"#machine\">Versions</a>"
                + " <a href=\"#definitions\">Definitions</a></nav>\n"
                + (sentences.isEmpty() ? "" : Html.heading("short", "Summary") + Html.list(sentences))
                + overall;
    }

    private String compared() {
        TreeSet<Long> seeds = new TreeSet<>();
        study.runs().forEach(run -> seeds.add(run.seed()));
        long variants = study.groups().stream().map(Group::label).distinct().count();
        int least = study.comparisons().stream()
                .mapToInt(Comparison::iterations)
                .min()
                .orElse(0);
        int most = study.comparisons().stream()
                .mapToInt(Comparison::iterations)
                .max()
                .orElse(0);
        return String.join(
                        ", ",
                        counted(study.runs().size(), "run"),
                        String.join(
                                        " and ",
                                        study.bases().stream().map(Enum::name).toList()) + " on "
                                + String.join(", ", study.tasks()),
                        counted(variants, "variant"),
                        counted(seeds.size(), "seed"),
                        (least == most ? Integer.toString(most) : least + " to " + most)
                                + (most == 1 ? " iteration" : " iterations"))
                + "."
                + (study.runs().stream().anyMatch(StudyRun::hasExternalRewards)
                        ? " With rewards from outside, returns are those of the rewards paid for. The task's own return is"
                                + " shown beside them; it is known for all episodes and not used for training."
                        : "");
    }

    private static String counted(long count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    private String figures() {
        StringBuilder html = new StringBuilder(Html.heading("curves", "Learning curves"));
        if (study.comparisons().size() > 1) {
            html.append(panel(
                    Axis.REWARD_EVALUATIONS,
                    "Mean return by reward evaluations (paid episodes), all tasks. Lines are means over seeds, bands one"
                            + " standard error."));
            html.append(panel(Axis.ITERATIONS, "Mean return by iteration, all tasks."));
        }
        for (Comparison comparison : study.comparisons()) {
            html.append(Html.text("h3", StudyFigures.title(comparison))).append("\n<div class=\"pair\">\n");
            for (Axis axis : Axis.values()) {
                html.append(picture(figures.returns(comparison, axis).name(), caption(comparison, axis)));
            }
            figures.taskReturns(comparison)
                    .ifPresent(figure -> html.append(picture(
                            figure.name(),
                            "For comparison: mean return by the task's own reward, over all sampled episodes. It costs nothing"
                                    + " and is not used for training. " + seeds(comparison) + ".")));
            figures.errorRatio(comparison)
                    .ifPresent(figure -> html.append(picture(
                            figure.name(),
                            "Worst-case error of the selected episodes, relative to random selection (the line at 1). "
                                    + seeds(comparison) + ".")));
            html.append("</div>\n");
        }
        return html.toString();
    }

    private static String caption(Comparison comparison, Axis axis) {
        String where = axis == Axis.ITERATIONS || isOfSingleSeeds(comparison)
                ? ""
                : " If seeds differ in their " + axis.label() + ", each curve is interpolated linearly.";
        String paid = comparison.hasExternalRewards()
                ? " The return of an iteration is estimated from the rewards paid for."
                : "";
        return "Mean return by " + axis.label() + "." + paid + " " + seeds(comparison) + "." + where;
    }

    private static boolean isOfSingleSeeds(Comparison comparison) {
        return comparison.groups().stream().allMatch(group -> group.seeds() == 1);
    }

    private static String seeds(Comparison comparison) {
        return isOfSingleSeeds(comparison)
                ? "Single seeds, without bands"
                : "Lines are means over seeds, bands one standard error";
    }

    private String panel(Axis axis, String caption) {
        return Html.wideFigure(pictures.getOrDefault(StudyFigures.panelName(axis), ""), caption);
    }

    private String picture(String name, String caption) {
        return Html.figure(pictures.getOrDefault(name, ""), caption);
    }

    private String numbers() {
        StringBuilder html = new StringBuilder(Html.heading("numbers", "Numbers"));
        html.append(
                "<p>All numbers are also in <code>summary.csv</code>, and the curves in <code>curves.csv</code>. See the"
                        + " <a href=\"#definitions\">definitions</a>.</p>\n");
        html.append(tables.overall());
        study.comparisons().forEach(comparison -> html.append(tables.of(comparison)));
        return html.toString();
    }

    private String repeat() {
        return Html.heading("repeat", "Repeat")
                + "<p>The same seed gives bit-identical results on the same kind of processor.</p>\n<pre><code>"
                + Html.escape(String.join("\n", commands)) + "</code></pre>\n";
    }

    private String problems() {
        List<String> problems = new ArrayList<>();
        for (Comparison comparison : study.comparisons()) {
            List<Group> compared = comparison.compared();
            comparison.groups().stream()
                    .filter(group -> !compared.contains(group))
                    .forEach(group ->
                            problems.add("<b>" + Html.escape(StudyFigures.title(comparison) + ", " + group.label())
                                    + "</b>: " + counted(group.iterations(), "iteration")
                                    + " so far, less than half of the longest: in the figures but not in the tables"));
        }
        for (ExcludedRun run : study.excluded()) {
            problems.add("<b>" + Html.escape(run.run()) + "</b>, left out: " + Html.escape(run.reason()));
        }
        for (StudyRun run : study.runs()) {
            if (run.history().state() != State.FINISHED || run.iterations() < run.planned()) {
                problems.add("<b>" + Html.escape(run.name()) + "</b>, in the figures with " + run.iterations() + " of "
                        + counted(run.planned(), "iteration") + ": "
                        + Html.escape(run.history().words()));
            }
        }
        study.missing().forEach(what -> problems.add("<b>missing</b>: " + Html.escape(what)));
        String list = problems.isEmpty()
                ? "<p>All runs have finished; none is missing or left out.</p>\n"
                : "<p>Failed, unfinished, missing or left out:</p>\n" + Html.list(problems);
        return Html.heading("runs", "Runs")
                + list
                + Html.details("All " + counted(study.runs().size(), "run") + " with seeds", tables.runs());
    }

    private String machine() {
        Map<Setup, Long> setups = study.runs().stream()
                .flatMap(run -> run.history().setups().stream())
                .collect(Collectors.groupingBy(setup -> setup, LinkedHashMap::new, Collectors.counting()));
        List<String> lines = new ArrayList<>();
        setups.forEach((setup, count) -> lines.add(Html.escape(
                counted(count, "run") + ": Java " + setup.java() + "; " + setup.numerics() + "; " + setup.simd())));
        double seconds = study.runs().stream().mapToDouble(StudyRun::seconds).sum();
        lines.add("Compute time: " + Durations.format(Duration.ofMillis(Math.round(1000 * seconds)))
                + " of training, summed over all runs.");
        lines.add(Html.escape("Report written on: " + Platform.name() + ", "
                + counted(Runtime.getRuntime().availableProcessors(), "processor") + ", Java " + Runtime.version()
                + "."));
        return Html.heading("machine", "Versions and machine") + Html.list(lines);
    }

    private static String definitions() {
        return Html.heading("definitions", "Definitions") + Definitions.html();
    }
}
