package dev.pgkq.app.report;

import dev.pgkq.app.study.Group;
import dev.pgkq.app.study.Statistic;
import dev.pgkq.app.study.Study;
import dev.pgkq.app.study.Summary;
import dev.pgkq.train.Base;
import dev.pgkq.train.Variant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Summarises the numbers in a few sentences of HTML, which claim no more than the intervals support. */
final class Findings {
    private static final List<Variant> QUADRATURE = List.of(Variant.KQ_PLUS, Variant.KQ, Variant.KQ_NO_MEAN);
    private static final List<Variant> CONTROLS =
            List.of(Variant.RANDOM_MEAN, Variant.IMPUTE, Variant.MODEL_ONLY, Variant.RANDOM);

    /** A larger multiple of the difference between small and large shows only that the difference is small. */
    private static final double MAX_MEANINGFUL = 3;

    private final Study study;
    private final Summary summary;

    Findings(Study study, Summary summary) {
        this.study = study;
        this.summary = summary;
    }

    List<String> sentences() {
        List<String> sentences = new ArrayList<>();
        for (Base base : study.bases()) {
            ranking(base).ifPresent(sentences::add);
            againstRandom(base).ifPresent(sentences::add);
        }
        return sentences;
    }

    /** How close quadrature comes to the large batch, compared with the controls without it. */
    private Optional<String> ranking(Base base) {
        Optional<Summary.Row> best = best(base, QUADRATURE);
        Optional<Summary.Row> control = best(base, CONTROLS);
        if (best.isEmpty()) {
            return noGap(base);
        }
        if (Math.abs(best.get().value()) > MAX_MEANINGFUL) {
            return Optional.of(base.name()
                    + ": the large batch is hardly ahead of the small one, so catching up with it" + " means little.");
        }
        return best.map(row -> base.name() + ": "
                + (row.isUnresolved()
                        ? "how much of the gap between the small and the large batch " + Html.name(row.label())
                                + " closes is " + TableCells.UNRESOLVED + " (" + share(row) + ")"
                        : Html.name(row.label()) + " closes " + share(row)
                                + " of the gap between the small and the large batch")
                + control.map(other -> "; for " + Html.name(other.label())
                                + ", the best control without quadrature, it is "
                                + (other.isUnresolved()
                                        ? TableCells.UNRESOLVED + " (" + share(other) + ")"
                                        : share(other)))
                        .orElse("")
                + ".");
    }

    /** The sentence for the case that the large batch is ahead on no task. */
    private Optional<String> noGap(Base base) {
        boolean measured = summary.rows().stream()
                .anyMatch(row ->
                        row.statistic() == Statistic.CATCH_UP && row.base().equals(Study.baseName(base)));
        return measured
                ? Optional.of(base.name() + ": the large batch is ahead of the small one on no task, so there is no gap"
                        + " to close.")
                : Optional.empty();
    }

    private Optional<Summary.Row> best(Base base, List<Variant> variants) {
        List<String> names = variants.stream().map(Group::name).toList();
        return summary.rows().stream()
                .filter(row -> row.statistic() == Statistic.NORMALIZED_IQM
                        && row.base().equals(Study.baseName(base))
                        && names.contains(row.variant()))
                .max(Comparator.comparingDouble(Summary.Row::value));
    }

    /** Whether quadrature beats the same algorithm with random selection. */
    private Optional<String> againstRandom(Base base) {
        List<String> parts = new ArrayList<>();
        for (Variant variant : List.of(Variant.KQ_PLUS, Variant.KQ)) {
            summary.find(Summary.ALL_TASKS, Study.baseName(base), Group.name(variant), Statistic.OVER_RANDOM_MEAN)
                    .ifPresent(row -> parts.add(
                            Html.name(row.label()) + " wins " + share(row) + " of the pairs of runs" + verdict(row)));
        }
        return parts.isEmpty()
                ? Optional.empty()
                : Optional.of(base.name() + " against " + Html.name("random-mean")
                        + ", which is kq with randomly selected episodes: " + String.join("; ", parts) + ".");
    }

    private static String verdict(Summary.Row row) {
        if (!row.interval().isKnown()) {
            return " (too few seeds for an interval)";
        }
        return row.interval().low() > 0.5
                ? ""
                : row.interval().high() < 0.5 ? ", so it is worse" : ": " + TableCells.UNRESOLVED;
    }

    private static String share(Summary.Row row) {
        String value = Math.round(100 * row.value()) + " %";
        return row.interval().isKnown()
                ? String.format(
                        Locale.ROOT,
                        "%s [%d, %d]",
                        value,
                        Math.round(100 * row.interval().low()),
                        Math.round(100 * row.interval().high()))
                : value;
    }
}
