package dev.pgkq.app.grid;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.training.EnvironmentChoice;
import dev.pgkq.env.Task;
import dev.pgkq.text.Durations;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.IterationReport.Stage;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * An estimate of how long runs will take, from a few iterations of each task on this machine. Episodes get longer as a
 * policy learns, so there are two figures: one for episodes that stay as short as at the start, and one for episodes that
 * are as long as the task allows.
 *
 * @param least time if episodes stay as short as at the start
 * @param most time if all episodes reach the step limit
 * @param stepsPerSecond speed of training, by task
 */
public record TimeEstimate(Duration least, Duration most, Map<String, Double> stepsPerSecond) {
    private static final long WARM_UP_NANOS = 3_000_000_000L;

    private record Rate(double secondsPerStep, double length, int limit) {}

    /**
     * Measures the speed of each task.
     *
     * @param missing the number of iterations that each run is missing
     * @param cores used for measuring, and shared by all runs later
     */
    public static TimeEstimate of(Map<Cell, Integer> missing, int cores) {
        Map<String, Rate> rates = new LinkedHashMap<>();
        double least = 0;
        double most = 0;
        for (Map.Entry<Cell, Integer> entry : missing.entrySet()) {
            Cell cell = entry.getKey();
            RunConfig config = RunConfig.of(cell.settings());
            TrainSettings settings = config.trainSettings();
            Rate rate =
                    rates.computeIfAbsent(cell.task(), id -> measured(EnvironmentChoice.task(config), settings, cores));
            double episodes = (double) entry.getValue() * settings.sampled();
            least += episodes * rate.length * rate.secondsPerStep;
            most += episodes * rate.limit * rate.secondsPerStep;
        }
        Map<String, Double> speeds = new LinkedHashMap<>();
        rates.forEach((task, rate) -> {
            if (rate.secondsPerStep > 0) {
                speeds.put(task, 1 / rate.secondsPerStep);
            }
        });
        return new TimeEstimate(seconds(least), seconds(most), speeds);
    }

    /** A task that cannot be trained takes no time; its runs will report the error. */
    private static Rate measured(Task task, TrainSettings settings, int cores) {
        try {
            return measure(task, settings, cores);
        } catch (RuntimeException e) {
            return new Rate(0, 0, 0);
        }
    }

    /** Times the last of a few iterations, since the JVM warms up in the first ones. */
    private static Rate measure(Task task, TrainSettings settings, int cores) {
        try (Trainer trainer = new Trainer(task, settings, cores)) {
            long start = System.nanoTime();
            IterationReport report = trainer.iterate();
            while (System.nanoTime() - start < WARM_UP_NANOS) {
                report = trainer.iterate();
            }
            double steps = report.lengthMean() * settings.sampled();
            double seconds = report.totalSeconds() - report.seconds().getOrDefault(Stage.MONITOR, 0.0);
            return new Rate(
                    seconds / Math.max(1, steps),
                    report.lengthMean(),
                    task.spec().maxSteps());
        }
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(1000 * seconds));
    }

    /** The estimate as a message. */
    public String text() {
        if (stepsPerSecond.isEmpty()) {
            return "no time estimate: no task can be trained; the runs will report why";
        }
        StringBuilder speeds = new StringBuilder();
        stepsPerSecond.forEach((task, speed) -> speeds.append(speeds.isEmpty() ? "" : ", ")
                .append(String.format(Locale.ROOT, "%s %,.0f steps/s", task, speed)));
        String shortest = Durations.format(least);
        String longest = Durations.format(most);
        // both are the same if all episodes reach the step limit at the start
        return "estimated time: "
                + (shortest.equals(longest)
                        ? longest
                        : shortest + " if episodes stay as short as at the start, at most " + longest
                                + " if all reach the step limit")
                + " (measured on this machine: " + speeds + ")";
    }
}
