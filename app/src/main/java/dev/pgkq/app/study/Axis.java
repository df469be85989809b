package dev.pgkq.app.study;

/** The horizontal axes of learning curves. */
public enum Axis {
    ITERATIONS("iteration", "iteration", "iterations"),
    STEPS("steps", "environment steps", "steps"),
    /** Number of paid rewards. */
    REWARD_EVALUATIONS("reward_evaluations", "reward evaluations", "reward-evaluations");

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
