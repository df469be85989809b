package dev.pgkq.app.training;

import dev.pgkq.train.IterationReport;
import dev.pgkq.train.IterationReport.Stage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The columns of {@code metrics.csv}. Wall-clock times come last; all other columns repeat bit for bit. */
public final class MetricsRow {
    public static final List<String> COLUMNS = columns();

    static final String TRIAL_MEAN = "evaluation_return";
    static final String TRIAL_SE = "evaluation_se";

    private MetricsRow() {}

    private static List<String> columns() {
        List<String> columns = new ArrayList<>(List.of(
                "iteration",
                "steps",
                "episodes",
                "reward_evaluations",
                "return_mean",
                "return_se",
                "length_mean",
                "wce",
                "wce_random",
                "policy_objective",
                "value_loss",
                "kl",
                "clip_fraction",
                "gradient_norm",
                "entropy",
                "terminated",
                "truncated",
                "diverged",
                "mean_error",
                "kernel_log_likelihood",
                "kernel_scale",
                "kernel_noise",
                "kernel_skipped",
                "paid_return",
                "paid",
                "expected_error",
                "expected_error_paid",
                "inflation",
                TRIAL_MEAN,
                TRIAL_SE));
        for (Stage stage : Stage.values()) {
            columns.add(seconds(stage));
        }
        return List.copyOf(columns);
    }

    private static String seconds(Stage stage) {
        return "seconds_" + stage.name().toLowerCase(Locale.ROOT);
    }

    static Map<String, Number> of(IterationReport report) {
        Map<String, Number> row = new LinkedHashMap<>();
        row.put("iteration", report.iteration());
        row.put("steps", report.steps());
        row.put("episodes", report.episodes());
        row.put("reward_evaluations", report.rewardEvaluations());
        put(row, "return_mean", report.returnMean());
        put(row, "return_se", report.returnSe());
        row.put("length_mean", report.lengthMean());
        put(row, "wce", report.choice().error());
        put(row, "wce_random", report.choice().errorOfRandom());
        row.put("policy_objective", report.step().objective());
        row.put("value_loss", report.valueLoss());
        row.put("kl", report.step().divergence());
        row.put("clip_fraction", report.step().clipFraction());
        row.put("gradient_norm", report.step().gradientNorm());
        row.put("entropy", report.step().entropy());
        row.put("terminated", report.endings().terminated());
        row.put("truncated", report.endings().truncated());
        row.put("diverged", report.endings().diverged());
        put(row, "mean_error", report.lesson().meanError());
        put(row, "kernel_log_likelihood", report.lesson().logLikelihood());
        put(row, "kernel_scale", report.lesson().scale());
        put(row, "kernel_noise", report.lesson().noise());
        if (!Double.isNaN(report.lesson().scale())) {
            row.put("kernel_skipped", report.lesson().skipped());
        }
        put(row, "paid_return", report.paidReturn());
        row.put("paid", report.paid());
        put(row, "expected_error", report.choice().expected().before());
        put(row, "expected_error_paid", report.choice().expected().after());
        put(row, "inflation", report.choice().expected().inflation());
        // four decimals are finer than the clocks
        report.seconds().forEach((stage, time) -> row.put(seconds(stage), Math.round(time * 1e4) / 1e4));
        return row;
    }

    /** Values that the algorithm or the task does not have stay blank. */
    private static void put(Map<String, Number> row, String column, double value) {
        if (!Double.isNaN(value)) {
            row.put(column, value);
        }
    }
}
