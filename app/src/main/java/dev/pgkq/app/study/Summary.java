package dev.pgkq.app.study;

import dev.pgkq.statistics.Interval;
import java.util.List;
import java.util.Optional;

/** Every number of a report. */
public record Summary(List<Row> rows) {
    /** The task of numbers that are taken over all tasks. */
    public static final String ALL_TASKS = "all";

    /**
     * A number.
     *
     * @param variant empty for numbers of a whole comparison
     * @param label the variant with what else sets its group apart; of a single run also the seed
     * @param value infinite for what was not reached; NaN for what has no value
     * @param count how many runs it is of
     */
    public record Row(
            String task,
            String base,
            String variant,
            String label,
            Statistic statistic,
            double value,
            Interval interval,
            int count) {}

    public Summary {
        rows = List.copyOf(rows);
    }

    public Optional<Row> find(String task, String base, String label, Statistic statistic) {
        return rows.stream()
                .filter(row -> row.task.equals(task)
                        && row.base.equals(base)
                        && row.label.equals(label)
                        && row.statistic == statistic)
                .findFirst();
    }
}
