package dev.pgkq.app.study;

import dev.pgkq.statistics.Interval;
import java.util.List;
import java.util.Optional;

/** All numbers of a report. */
public record Summary(List<Row> rows) {
    /** The task of statistics over all tasks. */
    public static final String ALL_TASKS = "all";

    /**
     * One number.
     *
     * @param variant empty for numbers of a whole comparison
     * @param label the group's label, or that of a single run, with its seed
     * @param value infinite if a threshold was not reached; NaN if there is no value
     * @param count number of runs it is computed from
     */
    public record Row(
            String task,
            String base,
            String variant,
            String label,
            Statistic statistic,
            double value,
            Interval interval,
            int count) {
        /**
         * Whether the interval is too wide to tell: that of a place between the small and the large batch contains both, or that
         * of a probability of improvement contains one half.
         */
        public boolean isUnresolved() {
            return switch (statistic) {
                case CATCH_UP, NORMALIZED_IQM -> interval.low() <= 0 && interval.high() >= 1;
                case OVER_SMALL, OVER_RANDOM_MEAN -> interval.low() <= 0.5 && interval.high() >= 0.5;
                default -> false;
            };
        }

        /** A number of a group, on its task or over all tasks. */
        static Row of(String task, Group group, Statistic statistic, double value, Interval interval, int count) {
            return new Row(
                    task,
                    Study.baseName(group.base()),
                    Group.name(group.variant()),
                    group.label(),
                    statistic,
                    value,
                    interval,
                    count);
        }
    }

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
