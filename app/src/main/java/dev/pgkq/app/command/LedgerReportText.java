package dev.pgkq.app.command;

import dev.pgkq.app.terminal.DurationHistogram;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.LedgerReport;
import dev.pgkq.rewards.ledger.LedgerReport.Failures;
import dev.pgkq.rewards.ledger.LedgerReport.Totals;
import dev.pgkq.statistics.Samples;
import dev.pgkq.text.Durations;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.Paragraph;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Formats a {@link LedgerReport} for the terminal. */
public final class LedgerReportText {
    private static final int MOST_FAILURES = 10;
    private static final List<String> COLUMNS =
            List.of("answers", "cost", "reused", "tries", "failed", "doubt", "given up", "open");
    private static final int SHORTEST_NAME = 8;

    private LedgerReportText() {}

    /** The lines of the report, for a window of that width. */
    public static List<String> lines(LedgerReport report, int width) {
        Totals all = report.all();
        List<String> lines = new ArrayList<>();
        fact(
                lines,
                width,
                "answers",
                all.answers() + " paid for, cost " + Numbers.brief(all.cost()) + "; "
                        + all.reused()
                        + (all.reused() == 1 ? " repeated request was" : " repeated requests were")
                        + " answered for free");
        fact(
                lines,
                width,
                "attempts",
                all.attempts() + ", of which " + all.failedAttempts() + " failed and " + all.inDoubt()
                        + " ended in doubt: requested, with no answer received");
        if (all.unanswered() > 0) {
            fact(
                    lines,
                    width,
                    "",
                    all.unanswered() + " without an answer count as paid for, cost "
                            + Numbers.brief(all.unansweredCost()));
        }
        fact(lines, width, "given up", all.failed() + " after all attempts");
        fact(
                lines,
                width,
                "open",
                all.running() + " being evaluated, " + all.waiting() + " waiting"
                        + (all.leftInDoubt() == 0
                                ? ""
                                : ", " + all.leftInDoubt() + " in doubt, to be requested again with the same key"));
        if (all.notBought() > 0) {
            fact(lines, width, "", all.notBought() + " not bought: selected, but never requested");
        }
        if (all.damaged() > 0) {
            fact(
                    lines,
                    width,
                    "DAMAGED",
                    all.damaged()
                            + (all.damaged() == 1 ? " answer is" : " answers are")
                            + " not what was recorded; restore the ledger from a backup");
        }
        if (all.answers() + all.failed() + all.open() + all.notBought() > 0) {
            table(lines, width, "task", report.byTask());
            table(lines, width, "run", named(report.byRun()));
        }
        times(lines, report.seconds(), width);
        failures(lines, report.failures(), width);
        return lines;
    }

    private static void fact(List<String> lines, int width, String what, String text) {
        String label = what;
        for (String line : Paragraph.lines(text, width - 12, "")) {
            lines.add(String.format(Locale.ROOT, "  %-9s %s", label, line));
            label = "";
        }
    }

    /** Omits the ids of runs whose names are unique. */
    private static Map<String, Totals> named(Map<String, Totals> runs) {
        Map<String, Long> names =
                runs.keySet().stream().collect(Collectors.groupingBy(LedgerReportText::name, Collectors.counting()));
        Map<String, Totals> named = new LinkedHashMap<>();
        runs.forEach((run, spending) -> named.put(names.getOrDefault(name(run), 0L) == 1 ? name(run) : run, spending));
        return named;
    }

    private static String name(String run) {
        int end = run.lastIndexOf('#');
        return end > 0 ? run.substring(0, end) : run;
    }

    /** Columns are as narrow as possible and names get the rest of the width, so that no row is wrapped. */
    private static void table(List<String> lines, int width, String what, Map<String, Totals> rows) {
        Map<String, List<String>> cells = new LinkedHashMap<>();
        rows.forEach((name, spending) -> cells.put(name, cells(spending)));
        int[] widths = COLUMNS.stream().mapToInt(String::length).toArray();
        for (List<String> row : cells.values()) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        int room = Math.max(
                SHORTEST_NAME,
                width - 2 - Arrays.stream(widths).map(column -> column + 2).sum());
        int widest = Stream.concat(Stream.of(what), rows.keySet().stream())
                .mapToInt(name -> Math.min(room, name.length()))
                .max()
                .orElse(0);
        lines.add("");
        lines.add(row(what, widest, COLUMNS, widths));
        cells.forEach((name, row) -> lines.add(row(shortened(name, room), widest, row, widths)));
    }

    private static List<String> cells(Totals spending) {
        return List.of(
                String.valueOf(spending.answers()),
                Numbers.brief(spending.cost()),
                String.valueOf(spending.reused()),
                String.valueOf(spending.attempts()),
                String.valueOf(spending.failedAttempts()),
                String.valueOf(spending.inDoubt()),
                String.valueOf(spending.failed()),
                String.valueOf(spending.open()));
    }

    /** Shortens a name in the middle: names of runs start with the task and end with the seed. */
    private static String shortened(String name, int room) {
        if (name.length() <= room) {
            return name;
        }
        int tail = room / 2;
        return name.substring(0, room - 1 - tail) + "…" + name.substring(name.length() - tail);
    }

    private static String row(String name, int widest, List<String> cells, int[] widths) {
        StringBuilder row = new StringBuilder("  " + name + " ".repeat(widest - name.length()));
        for (int i = 0; i < cells.size(); i++) {
            row.append("  ").repeat(" ", widths[i] - cells.get(i).length()).append(cells.get(i));
        }
        return row.toString();
    }

    private static void times(List<String> lines, double[] seconds, int width) {
        if (seconds.length == 0) {
            return;
        }
        lines.add("");
        String took = seconds.length + (seconds.length == 1 ? " evaluation" : " evaluations") + " took at least "
                + duration(Samples.quantile(seconds, 0)) + ", at the median " + duration(Samples.median(seconds))
                + ", at the 90 % quantile " + duration(Samples.quantile(seconds, 0.9)) + ", at most "
                + duration(Samples.quantile(seconds, 1));
        Paragraph.lines(took, width - 2, "").forEach(line -> lines.add("  " + line));
        DurationHistogram.lines(seconds, width - 2, true).forEach(line -> lines.add("  " + line));
    }

    private static String duration(double seconds) {
        return seconds < 1
                ? Math.round(seconds * 1000) + "ms"
                : Durations.format(Duration.ofMillis(Math.round(seconds * 1000)));
    }

    private static void failures(List<String> lines, List<Failures> failures, int width) {
        if (failures.isEmpty()) {
            return;
        }
        lines.add("");
        lines.add("  failed  given up  newest");
        for (Failures kind : failures.subList(0, Math.min(failures.size(), MOST_FAILURES))) {
            EvaluationId newest = kind.newest();
            lines.add(String.format(
                    Locale.ROOT,
                    "  %6d  %8d  %.12s… iteration %d, episode %d",
                    kind.count(),
                    kind.givenUp(),
                    newest.key().hex(),
                    newest.iteration(),
                    newest.episode()));
            Paragraph.lines(kind.example(), width - 10, "").forEach(line -> lines.add("          " + line));
        }
        if (failures.size() > MOST_FAILURES) {
            lines.add("  and " + (failures.size() - MOST_FAILURES) + " more kinds of failure");
        }
    }
}
