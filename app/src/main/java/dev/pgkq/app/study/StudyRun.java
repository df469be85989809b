package dev.pgkq.app.study;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunHistory;
import dev.pgkq.statistics.Curve;
import dev.pgkq.train.Algorithm;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One run of a study.
 *
 * @param name path of its folder relative to the searched folder
 * @param task name of the task, with the settings that change the problem
 * @param iterations the last iteration with a return; 0 if there is none
 */
public record StudyRun(
        String name, String task, long seed, int iterations, RunConfig config, Metrics metrics, RunHistory history) {
    private static final String TASK_RETURN = "return_mean";
    private static final String PAID_RETURN = "paid_return";
    /** Settings that change the problem or the unit of its rewards, not the method: another value makes another task. */
    private static final List<String> PROBLEM_SETTINGS = Stream.of(
                    Setting.REWARD, Setting.REWARD_NOISE, Setting.RATING, Setting.RATING_SCALE)
            .map(Setting::key)
            .toList();

    static StudyRun of(String name, RunConfig config, Metrics metrics, RunHistory history) {
        StudyRun run = new StudyRun(name, task(config), config.whole(Setting.SEED), 0, config, metrics, history);
        Curve curve = run.curve(Axis.ITERATIONS);
        int iterations = curve.isEmpty() ? 0 : (int) curve.last();
        return new StudyRun(name, run.task, run.seed, iterations, config, metrics, history);
    }

    private static String task(RunConfig config) {
        Map<String, String> choices = config.choices();
        List<String> parts = new ArrayList<>();
        for (String key : PROBLEM_SETTINGS) {
            if (choices.containsKey(key)) {
                parts.add(key + " " + choices.get(key));
            }
        }
        String env = config.text(Setting.ENV);
        return parts.isEmpty() ? env : env + " (" + String.join(", ", parts) + ")";
    }

    public Algorithm algorithm() {
        return config.algorithm();
    }

    /**
     * The settings that identify the run, except the seed. The planned number of iterations is one of them where it changes the
     * run, so that a short run is not the beginning of a long one.
     */
    public Map<String, String> settings() {
        Map<String, String> settings = config.identity();
        settings.remove(Setting.SEED.key());
        if (config.dependsOnIterations()) {
            settings.put(Setting.ITERATIONS.key(), String.valueOf(planned()));
        }
        return settings;
    }

    /** The planned number of iterations. */
    public long planned() {
        return config.whole(Setting.ITERATIONS);
    }

    /** Whether rewards come from a program, a service or people, and not from the task. */
    public boolean hasExternalRewards() {
        return config.reward().isEmpty();
    }

    /** The mean return of every iteration in the reward that the run is trained on: with external rewards, the paid return. */
    double[] returns() {
        return metrics.column(hasExternalRewards() ? PAID_RETURN : TASK_RETURN);
    }

    /** The mean return as a curve. If several iterations are at the same position, the last one counts. */
    public Curve curve(Axis axis) {
        return curve(axis, Integer.MAX_VALUE);
    }

    /** The mean return up to an iteration. */
    Curve curve(Axis axis, int last) {
        return curve(returns(), axis, last);
    }

    /**
     * With external rewards, the mean return in the task's own reward up to an iteration, beside the paid return. Empty if it is
     * never known, or always 0, which is how a task has no reward of its own.
     */
    Curve taskCurve(Axis axis, int last) {
        double[] returns = metrics.column(TASK_RETURN);
        boolean isKnown = hasExternalRewards() && Arrays.stream(returns).anyMatch(value -> value < 0 || value > 0);
        return curve(isKnown ? returns : new double[0], axis, last);
    }

    private Curve curve(double[] values, Axis axis, int last) {
        double[] iterations = metrics.column(MetricsFile.ITERATION);
        double[] shown = new double[iterations.length];
        Arrays.setAll(shown, i -> i < values.length && iterations[i] <= last ? values[i] : Double.NaN);
        return lastAtEach(metrics.column(axis.column()), shown);
    }

    /**
     * A curve in which the last of several points at the same x counts. Iterations that pay for nothing share their number of
     * paid rewards with the one before; the last one shows what these rewards achieved.
     */
    static Curve lastAtEach(double[] x, double[] y) {
        double[] kept = y.clone();
        double following = Double.NaN;
        for (int i = x.length - 1; i >= 0; i--) {
            if (x[i] == following) {
                kept[i] = Double.NaN;
            } else if (Double.isFinite(y[i])) {
                following = x[i];
            }
        }
        return Curve.of(x, kept);
    }

    /** The rewards paid for up to and including an iteration, for iterations with a return. */
    Curve paid() {
        double[] returns = returns();
        double[] paid = metrics.column(Axis.REWARD_EVALUATIONS.column());
        Arrays.setAll(paid, i -> Double.isFinite(returns[i]) ? paid[i] : Double.NaN);
        return Curve.of(metrics.column(MetricsFile.ITERATION), paid);
    }

    /** The quadrature's worst-case error relative to random selection; empty for runs without quadrature. */
    public Curve errorRatio() {
        double[] iterations = metrics.column(MetricsFile.ITERATION);
        double[] ratios = new double[iterations.length];
        Arrays.fill(ratios, Double.NaN);
        if (metrics.has("wce") && metrics.has("wce_random")) {
            double[] error = metrics.column("wce");
            double[] random = metrics.column("wce_random");
            Arrays.setAll(ratios, i -> error[i] / random[i]);
        }
        return Curve.of(iterations, ratios);
    }

    /** Wall-clock time of all stages and iterations. */
    public double seconds() {
        return metrics.columns().stream()
                .filter(column -> column.startsWith("seconds_"))
                .flatMapToDouble(column -> Arrays.stream(metrics.column(column)))
                .filter(Double::isFinite)
                .sum();
    }

    /** Number of rewards paid so far. */
    public double rewardEvaluations() {
        double[] paid = metrics.column(Axis.REWARD_EVALUATIONS.column());
        return paid.length == 0 ? 0 : paid[paid.length - 1];
    }
}
