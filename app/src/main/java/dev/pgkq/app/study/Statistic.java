package dev.pgkq.app.study;

/** The statistics of a report, with their names in {@code summary.csv}. */
public enum Statistic {
    /** Of a run: number of iterations done. */
    ITERATIONS("iterations", Spread.NONE),
    /** Of a run: wall-clock time. */
    SECONDS("seconds", Spread.NONE),
    COMMON_ITERATIONS("common_iterations", Spread.NONE),
    THRESHOLD("threshold", Spread.NONE),
    SEEDS("seeds", Spread.NONE),
    AUC("auc", Spread.STANDARD_ERROR),
    FINAL_RETURN("final_return", Spread.STANDARD_ERROR),
    /** With external rewards: the final return in the task's own reward. */
    FINAL_TASK_RETURN("final_task_return", Spread.STANDARD_ERROR),
    IQM_AUC("iqm_auc", Spread.BOOTSTRAP),
    CATCH_UP("catch_up", Spread.BOOTSTRAP),
    RUNS_REACHING("runs_reaching_threshold", Spread.NONE),
    EVALUATIONS_TO_THRESHOLD("evaluations_to_threshold", Spread.RANGE),
    OVER_SMALL("improvement_over_small", Spread.BOOTSTRAP),
    OVER_RANDOM_MEAN("improvement_over_random_mean", Spread.BOOTSTRAP),
    BUDGET("budget", Spread.NONE),
    RUNS_SPENDING_BUDGET("runs_spending_budget", Spread.NONE),
    RETURN_AT_BUDGET("return_at_budget", Spread.BOOTSTRAP),
    AUC_TO_BUDGET("auc_to_budget", Spread.BOOTSTRAP),
    WCE_RATIO("wce_ratio", Spread.STANDARD_ERROR),
    REWARD_EVALUATIONS("reward_evaluations", Spread.NONE),
    NORMALIZED_IQM("iqm_normalized_auc", Spread.BOOTSTRAP),
    TASKS("tasks", Spread.NONE);

    /** The kind of interval around a value. */
    enum Spread {
        NONE(""),
        STANDARD_ERROR("standard error"),
        BOOTSTRAP("95% bootstrap"),
        RANGE("minimum and maximum");

        private final String label;

        Spread(String label) {
            this.label = label;
        }
    }

    private final String key;
    private final Spread spread;

    Statistic(String key, Spread spread) {
        this.key = key;
        this.spread = spread;
    }

    public String key() {
        return key;
    }

    /** What {@code low} and {@code high} are; empty if there are none. */
    public String spread() {
        return spread.label;
    }
}
