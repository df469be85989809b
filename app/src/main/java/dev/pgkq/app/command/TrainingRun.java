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
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Trains in a run directory. After every iteration the metrics are on the disk first and the checkpoint second: whatever
 * stops the process, the newest checkpoint is never ahead of the metrics, and resuming repeats what came after it.
 */
final class TrainingRun {
    /** How this tool was called, for commands to type. */
    private static final String COMMAND = System.getProperty("pgkq.command", "pgkq");

    /** What rounding depends on. SIMD is not part of it: it equals its plain twin to the last bit. */
    private static final String NUMERICS = Blas.best().description();

    private final RunDirectory directory;
    private final boolean resume;
    private final RunConfig config;
    private final PrintWriter out;
    private final Task task;
    private final TrainSettings settings;
    private final int iterations;
    private final int threads;

    /** Checks all settings, so that what is wrong shows before anything is written. */
    TrainingRun(RunDirectory directory, boolean resume, RunConfig config, PrintWriter out) {
        this.directory = directory;
        this.resume = resume;
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
                RunDirectory.Lock lock = directory.lock()) {
            if (!resume && directory.holdsRun()) {
                throw new UserException(
                        "another run was begun in " + directory.path() + " meanwhile; give another --out");
            }
            Optional<Checkpoints.Found> found = resume ? directory.checkpoints().newest() : Optional.empty();
            requireResumable(found);
            ConfigFile.write(directory.config(), config);
            try (StopRequest stop = StopRequest.onSignals();
                    EventLog events = EventLog.open(directory.events());
                    ProgressView view = ProgressView.onStandardError()) {
                return run(trainer, found, events, view, stop);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Before anything is written: going on must neither start over nor go back. */
    private void requireResumable(Optional<Checkpoints.Found> found) {
        if (resume && found.isEmpty() && MetricsFile.rows(directory.metrics()) > 1) {
            throw new UserException(
                    directory.path() + " has metrics but no checkpoint to go on from: resuming would start"
                            + " over and erase them. Put the checkpoint folder back, or start a new run with --config "
                            + directory.config());
        }
        int done = found.map(newest -> newest.saved().snapshot().iteration()).orElse(0);
        if (done > iterations) {
            throw new UserException(
                    "the run in " + directory.path() + " has " + done + " iterations already; --iterations "
                            + iterations + " would be fewer. Give a larger number to train on");
        }
    }

    private int run(
            Trainer trainer, Optional<Checkpoints.Found> found, EventLog events, ProgressView view, StopRequest stop) {
        restore(trainer, found, events, view);
        view.message(headline());
        int first = trainer.iteration();
        Instant start = Instant.now();
        IterationReport last = train(trainer, events, view, stop);
        view.finish();
        tell(trainer, last, trainer.iteration() - first, Duration.between(start, Instant.now()));
        return stop.requested() && trainer.iteration() < iterations ? StopRequest.EXIT_CODE : 0;
    }

    private String headline() {
        return settings.algorithm().id() + " on " + task.id() + ": " + iterations + " iterations of "
                + settings.sampled()
                + " episodes, " + (settings.paid() < settings.sampled() ? settings.paid() : "all")
                + " paid for, seed " + settings.seed() + ", " + threads + (threads == 1 ? " thread" : " threads")
                + ", in "
                + directory.path();
    }

    private void restore(Trainer trainer, Optional<Checkpoints.Found> found, EventLog events, ProgressView view) {
        if (!Blas.whyNotNative().isEmpty()) {
            view.message("pgkq: OpenBLAS is not in use, training will be slow: " + Blas.whyNotNative());
        }
        found.ifPresent(newest -> restore(trainer, newest, events, view));
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", trainer.iteration());
        fields.put("iterations", iterations);
        fields.put("threads", threads);
        fields.put("numerics", NUMERICS);
        fields.put("simd", Elementwise.best().description());
        fields.put("java", Runtime.version().toString());
        events.append(found.isEmpty() ? "started" : "resumed", fields);
    }

    private void restore(Trainer trainer, Checkpoints.Found found, EventLog events, ProgressView view) {
        found.damaged().forEach((file, problem) -> {
            view.message("pgkq: damaged checkpoint, using the one before it: " + problem);
            events.append("damaged-checkpoint", Map.of("message", problem));
        });
        try {
            trainer.restore(found.saved().snapshot());
        } catch (IllegalArgumentException e) {
            throw new UserException(
                    "the checkpoint in " + directory.path() + " does not fit its config.yaml or this version: "
                            + e.getMessage(),
                    e);
        }
        directory.checkpoints().setAside(found);
        view.message("resuming after iteration " + trainer.iteration());
        int rows = MetricsFile.rows(directory.metrics());
        if (rows < trainer.iteration()) {
            String gap = directory.metrics() + " has " + rows + " rows for " + trainer.iteration()
                    + " iterations: somebody changed it; the rows that are missing stay missing";
            view.message("pgkq: " + gap);
            events.append("missing-metrics", Map.of("message", gap));
        }
        if (!found.saved().numerics().equals(NUMERICS)) {
            view.message("pgkq: the run was computed with " + found.saved().numerics() + ", this machine has "
                    + NUMERICS + ": it goes on, with other rounding than an uninterrupted run");
        }
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
                checkpoints.save(new Checkpoints.Saved(trainer.snapshot(), NUMERICS));
                if (report.endings().diverged() > 0) {
                    tellDivergence(report, events, view);
                }
                view.show(shown(report));
            }
        } catch (RuntimeException | Error e) {
            logFailure(trainer, events, e);
            throw e;
        }
        events.append(
                trainer.iteration() >= iterations ? "finished" : "stopped", Map.of("iteration", trainer.iteration()));
        return report;
    }

    /** The log may fail for the same reason, such as a full disk: the first failure is the one to tell. */
    private static void logFailure(Trainer trainer, EventLog events, Throwable failure) {
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("iteration", trainer.iteration());
            fields.put("message", failure.toString());
            events.append("failed", fields);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void tellDivergence(IterationReport report, EventLog events, ProgressView view) {
        int diverged = report.endings().diverged();
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", report.iteration());
        fields.put("episodes", diverged);
        events.append("diverged", fields);
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
