package dev.pgkq.app.command;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.plot.LearningCurve;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.EventLog;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Durations;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Snapshot;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.channels.FileLock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Trains in a run directory. After every iteration the metrics are on the disk first and the checkpoint second: whatever
 * stops the process, the newest checkpoint is never ahead of the metrics, and resuming repeats what came after it.
 */
final class TrainingRun {
    /** How this tool was called, for commands to type. */
    private static final String COMMAND = System.getProperty("pgkq.command", "pgkq");

    private final RunDirectory directory;
    private final RunConfig config;
    private final PrintWriter out;
    private final Task task;
    private final TrainSettings settings;
    private final int iterations;
    private final int threads;

    /** Checks all settings, so that what is wrong shows before anything is written. */
    TrainingRun(RunDirectory directory, RunConfig config, PrintWriter out) {
        this.directory = directory;
        this.config = config;
        this.out = out;
        this.task = Tasks.named(config.text(Setting.ENV));
        this.settings = config.trainSettings();
        this.iterations = config.count(Setting.ITERATIONS, 1);
        this.threads = config.has(Setting.THREADS)
                ? config.count(Setting.THREADS, 1)
                : Runtime.getRuntime().availableProcessors();
    }

    int run() {
        // The trainer first: where it cannot start, nothing is left behind.
        try (Trainer trainer = new Trainer(task, settings, threads);
                FileLock lock = directory.lock();
                StopRequest stop = StopRequest.onSignals();
                EventLog events = EventLog.open(directory.events());
                ProgressView view = ProgressView.onStandardError()) {
            ConfigFile.write(directory.config(), config);
            resume(trainer, events, view);
            view.message(headline());
            int first = trainer.iteration();
            Instant start = Instant.now();
            IterationReport last = train(trainer, events, view, stop);
            view.finish();
            tell(trainer, last, trainer.iteration() - first, Duration.between(start, Instant.now()));
            return stop.requested() && trainer.iteration() < iterations ? StopRequest.EXIT_CODE : 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String headline() {
        return settings.algorithm().id() + " on " + task.id() + ": " + iterations + " iterations of "
                + settings.sampled()
                + " episodes, seed " + settings.seed() + ", " + threads + (threads == 1 ? " thread" : " threads")
                + ", in "
                + directory.path();
    }

    private void resume(Trainer trainer, EventLog events, ProgressView view) {
        Snapshot saved = directory.checkpoints().newest(warning -> {
            view.message("pgkq: " + warning);
            events.append("damaged-checkpoint", Map.of("message", warning));
        });
        if (saved != null) {
            try {
                trainer.restore(saved);
            } catch (IllegalArgumentException e) {
                throw new UserException(
                        "the checkpoint in " + directory.path() + " does not fit this version: " + e.getMessage(), e);
            }
            view.message("resuming after iteration " + trainer.iteration());
        }
        events.append(
                saved == null ? "started" : "resumed",
                Map.of("iteration", trainer.iteration(), "iterations", iterations, "threads", threads));
    }

    private @Nullable IterationReport train(Trainer trainer, EventLog events, ProgressView view, StopRequest stop) {
        Checkpoints checkpoints = directory.checkpoints();
        IterationReport report = null;
        try (MetricsFile metrics =
                        MetricsFile.openForResume(directory.metrics(), MetricsRow.COLUMNS, trainer.iteration());
                BoardLog board = BoardLog.open(config.flag(Setting.TENSORBOARD), directory, trainer.iteration())) {
            while (trainer.iteration() < iterations && !stop.requested()) {
                report = trainer.iterate();
                Map<String, Number> row = MetricsRow.of(report);
                metrics.append(row);
                board.append(report.iteration(), row);
                checkpoints.save(trainer.snapshot());
                if (report.endings().diverged() > 0) {
                    tellDivergence(report, events, view);
                }
                view.show(shown(report));
            }
        } catch (UserException e) {
            events.append(
                    "failed", Map.of("iteration", trainer.iteration(), "message", String.valueOf(e.getMessage())));
            throw e;
        }
        events.append(
                trainer.iteration() >= iterations ? "finished" : "stopped", Map.of("iteration", trainer.iteration()));
        return report;
    }

    private void tellDivergence(IterationReport report, EventLog events, ProgressView view) {
        int diverged = report.endings().diverged();
        events.append("diverged", Map.of("iteration", report.iteration(), "episodes", diverged));
        view.message("iteration " + report.iteration() + ": the simulation of " + diverged
                + (diverged == 1 ? " episode" : " episodes") + " blew up; only the steps before that are used");
    }

    private IterationView shown(IterationReport report) {
        double steps = report.lengthMean() * settings.sampled();
        return new IterationView(
                report.iteration(),
                iterations,
                report.returnMean(),
                report.returnSe(),
                report.lengthMean(),
                report.rewardEvaluations(),
                steps / report.totalSeconds(),
                report.endings().diverged());
    }

    private void tell(Trainer trainer, @Nullable IterationReport last, int done, Duration time) {
        boolean complete = trainer.iteration() >= iterations;
        Map<String, String> lines = new LinkedHashMap<>();
        if (last == null) {
            out.println(
                    complete
                            ? "already at iteration " + trainer.iteration() + "; a larger --iterations trains on"
                            : "stopped before an iteration was done");
        } else {
            out.println((complete ? "finished" : "stopped") + " after iteration " + last.iteration() + " of "
                    + iterations + " (" + done + " in " + Durations.format(time) + ")");
            lines.put("return", String.format(Locale.ROOT, "%.1f ± %.1f", last.returnMean(), last.returnSe()));
            lines.put(
                    "spent",
                    String.format(
                            Locale.ROOT, "%,d reward evaluations, %,d steps", last.rewardEvaluations(), last.steps()));
        }
        if (trainer.iteration() > 0) {
            lines.put("metrics", directory.metrics().toString());
            lines.put("curve", drawCurve());
        }
        if (complete) {
            lines.put("evaluate", COMMAND + " evaluate " + directory.path());
        } else {
            lines.put("resume", COMMAND + " train --resume --out " + directory.path());
        }
        lines.forEach((what, text) -> out.printf(Locale.ROOT, "  %-9s %s%n", what, text));
        out.flush();
    }

    private String drawCurve() {
        String title = settings.algorithm().id() + " on " + task.id() + ", seed " + settings.seed();
        try {
            LearningCurve.write(directory.curve(), Metrics.read(directory.metrics()), title);
            return directory.curve().toString();
        } catch (UserException e) {
            return "not drawn: " + e.getMessage();
        }
    }
}
