package dev.pgkq.app.study;

/** What learning can be held against. */
public enum Axis {
    ITERATIONS("iteration", "iteration", "iterations"),
    STEPS("steps", "environment steps", "steps"),
    /** What one pays for. */
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

    /** In words. */
    public String label() {
        return label;
    }

    /** In names of files. */
    public String slug() {
        return slug;
    }
}
