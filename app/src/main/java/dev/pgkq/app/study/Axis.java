package dev.pgkq.app.study;

/** The horizontal axes of learning curves, in the order of a report: what rewards buy comes first. */
public enum Axis {
    /** Number of paid rewards. */
    REWARD_EVALUATIONS("reward_evaluations", "reward evaluations", "reward-evaluations"),
    ITERATIONS("iteration", "iteration", "iterations"),
    STEPS("steps", "environment steps", "steps");

    private final String column;
    private final String label;
    private final String slug;

    Axis(String column, String label, String slug) {
        this.column = column;
        this.label = label;
        this.slug = slug;
    }

    /** The column of {@code metrics.csv}. */
    public String column() {
        return column;
    }

    /** The label in figures and text. */
    public String label() {
        return label;
    }

    /** The name in file names. */
    public String slug() {
        return slug;
    }
}
