package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.plot.LearningCurve;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.EventLog;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.PendingRewards;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.desk.Troubles;
import dev.pgkq.rewards.desk.Troubles.Trouble;
import dev.pgkq.rewards.desk.Waiting;
import dev.pgkq.text.Durations;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains in a run directory. After every iteration the metrics are on the disk first and the checkpoint second: whatever
 * stops the process, the newest checkpoint is never ahead of the metrics, and resuming repeats what came after it.
 */
public final class TrainingRun {
    /** What rounding depends on. SIMD is not part of it: it equals its plain twin to the last bit. */
    private static final String NUMERICS = Blas.best().description();

    private static final int ID_DIGITS = 12;

    private final RunDirectory directory;
    private final boolean resume;
    private final RunConfig config;
    private final Task task;
    private final TrainSettings settings;
    private final double rewardNoise;
    private final long maxEvaluations;
    private final PendingRewards orders = new PendingRewards(InstantSource.system());
    private final Troubles troubles = new Troubles();
    private final TraceWriter.Keeping keeping;
    private final int iterations;
    private final int threads;
    private final String id;
    private List<String> warnings = List.of();
    private final Optional<ClusterSettings> clusterSettings;
    private volatile Optional<Cluster> cluster = Optional.empty();
    private volatile @Nullable RewardDesk desk;
    private volatile @Nullable EventLog log;
    private volatile boolean abandoned;
    private List<String> largerBudget = List.of();

    /** Checks all settings, so that what is wrong shows before anything is written. */
    public TrainingRun(RunDirectory directory, boolean resume, RunConfig config) {
        this.directory = directory;
        this.resume = resume;
        this.config = config;
        this.task = Tasks.named(config.text(Setting.ENV));
        this.settings = config.trainSettings();
        this.rewardNoise = config.rewardNoise();
        this.maxEvaluations = config.maxEvaluations();
        this.clusterSettings = config.cluster();
        this.id = directory.holdsRun() ? directory.id() : newId();
        this.keeping = config.keeping();
        this.iterations = config.count(Setting.ITERATIONS, 1);
        this.threads = config.has(Setting.THREADS)
                ? config.count(Setting.THREADS, 1)
                : Runtime.getRuntime().availableProcessors();
        if (!paysForOne() && !resume && !config.has(Setting.LEDGER)) {
            throw new UserException("--max-evaluations " + maxEvaluations + " does not pay for a single iteration of "
                    + settings.algorithm().id() + ", which may need " + settings.paid()
                    + " evaluations: give at least that many, or a smaller --select or --batch");
        }
    }

    /** A budget that is too small for any iteration is a mistake, unless the ledger knows answers: these cost nothing. */
    private boolean paysForOne() {
        return maxEvaluations >= settings.paid();
    }

    private static String newId() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, ID_DIGITS);
    }

    /**
     * Trains until all iterations are done or {@code stop} says so; an iteration under way is finished first.
     *
     * @param view is told of every iteration
     */
    public Outcome run(ProgressView view, BooleanSupplier stop) {
        cluster = clusterSettings.map(settings -> connected(settings, view));
        try {
            return runConnected(view, stop);
        } finally {
            cluster.ifPresent(Cluster::close);
        }
    }

    private Cluster connected(ClusterSettings settings, ProgressView view) {
        view.message("connecting to " + settings.master() + " …");
        return ClusterProvider.find()
                .connect(
                        settings,
                        task,
                        this.settings,
                        config.monitored(),
                        directory.name(),
                        line -> warn(view, "pgkq: " + line));
    }

    private Outcome runConnected(ProgressView view, BooleanSupplier stop) {
        // The trainer first: where it cannot start, nothing is left behind.
        try (Trainer trainer = trainer(new RewardListener(orders, troubles, line -> warn(view, line), stop));
                RunDirectory.Lock lock = directory.lock()) {
            if (!resume && directory.holdsRun()) {
                throw new UserException(
                        "another run was begun in " + directory.path() + " meanwhile; give another --out");
            }
            Optional<Checkpoints.Found> found = resume ? directory.checkpoints().newest() : Optional.empty();
            requireResumable(found);
            if (!directory.holdsRun()) {
                directory.identify(id);
            }
            ConfigFile.write(directory.config(), config);
            try (EventLog events = EventLog.open(directory.events())) {
                log = events;
                return run(trainer, found, events, view, stop);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What comes from outside is not known of all episodes: their curve is that of the task's own reward. */
    private Trainer trainer(RewardListener customer) {
        RewardSource rewards = config.reward()
                .map(reward -> RewardSource.of(reward.open(task, rewardNoise, settings.seed())))
                .orElseGet(() -> desk(customer));
        try {
            if (cluster.isPresent()) {
                return new Trainer(task, settings, rewards, cluster.get().source(), new Workers(threads));
            }
            return new Trainer(task, settings, rewards, config.monitored().open(task), threads);
        } catch (RuntimeException e) {
            rewards.close();
            throw e;
        }
    }

    private RewardSource desk(RewardListener customer) {
        RewardDesk opened = RewardDeskFactory.open(
                config,
                task,
                directory,
                id,
                customer,
                clusterSettings.filter(ClusterSettings::rewards).flatMap(settings -> cluster));
        warnings = opened.warnings();
        desk = opened;
        return opened;
    }

    /** How many rewards somebody was asked for and has not answered. */
    public int rewardsOut() {
        return orders.asked();
    }

    /**
     * Stops at once, from another thread; {@link #run} then fails. What is out is cancelled where that is possible, and in
     * doubt: the ledger has no claim on it any more.
     */
    public void abandon() {
        abandoned = true;
        EventLog events = log;
        if (events != null) {
            try {
                events.append("stopped", Map.of("atOnce", true, "rewardsOut", rewardsOut()));
            } catch (RuntimeException e) {
                // the claims matter more than the log
            }
        }
        RewardDesk open = desk;
        if (open != null) {
            orders.close();
            open.close();
        }
        cluster.ifPresent(Cluster::cancel);
    }

    /**
     * How far a run came.
     *
     * @param iterations how many it should have
     * @param iteration how many it has
     * @param done how many of them were done now
     * @param last report of the last one done now; null if there was none
     * @param time spent on them
     * @param curve where the learning curve is, or why it is not
     * @param largerBudget if it stopped because no more could be paid for: the option with which it goes on
     */
    public record Outcome(
            int iterations,
            int iteration,
            int done,
            @Nullable IterationReport last,
            Duration time,
            String curve,
            List<String> largerBudget) {
        public boolean complete() {
            return iteration >= iterations;
        }

        /** Whether it ended as it was told to: with all iterations, or with its budget. */
        public boolean asTold() {
            return complete() || !largerBudget.isEmpty();
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
            throw new UserException("the run in " + directory.path() + " has " + counted(done, "iteration")
                    + " already; --iterations " + iterations + " would be fewer. Give a larger number to train on");
        }
    }

    private Outcome run(
            Trainer trainer,
            Optional<Checkpoints.Found> found,
            EventLog events,
            ProgressView view,
            BooleanSupplier stop) {
        restore(trainer, found, events, view);
        view.message(headline());
        if (config.reward().isEmpty()) {
            view.message("rewards from " + config.text(Setting.REWARD).strip()
                    + "; 'paid return' is their mean as the algorithm weighs it, 'task return' that of the task's own"
                    + " reward, over all episodes, which costs nothing and is not learned from");
        }
        if (!paysForOne()) {
            view.message("pgkq: --max-evaluations " + maxEvaluations + " pays for no whole iteration, which may need "
                    + settings.paid() + ": the run goes as far as the ledger knows the answers already");
        }
        for (String warning : warnings) {
            view.message("pgkq: " + warning);
            events.append("warning", Map.of("message", warning));
        }
        for (String option : config.withoutEffect()) {
            view.message("pgkq: " + option + " has no effect with "
                    + settings.algorithm().id());
        }
        int first = trainer.iteration();
        Instant start = Instant.now();
        IterationReport last = train(trainer, events, view, stop);
        view.finish();
        Duration time = Duration.between(start, Instant.now());
        String curve = trainer.iteration() > 0 ? drawCurve() : "";
        return new Outcome(
                iterations, trainer.iteration(), trainer.iteration() - first, last, time, curve, largerBudget);
    }

    private String headline() {
        return settings.algorithm().id() + " on " + task.id() + ": " + counted(iterations, "iteration") + " of "
                + counted(settings.sampled(), "episode") + ", "
                + (settings.paid() < settings.sampled() ? "at most " + settings.paid() : "all")
                + " paid for, seed " + settings.seed() + ", "
                + cluster.map(Cluster::description).orElseGet(() -> counted(threads, "thread"))
                + ", in "
                + directory.path();
    }

    private static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
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
        cluster.ifPresent(there -> fields.put("cluster", there.description()));
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

    private @Nullable IterationReport train(Trainer trainer, EventLog events, ProgressView view, BooleanSupplier stop) {
        Checkpoints checkpoints = directory.checkpoints();
        IterationReport report = null;
        TraceWriter trace = trace(trainer, events, view);
        troubles.tell(trouble -> tellTrouble(trouble, events, view));
        try (MetricsFile metrics =
                        MetricsFile.openForResume(directory.metrics(), MetricsRow.COLUMNS, trainer.iteration());
                BoardLog board = BoardLog.open(config.flag(Setting.TENSORBOARD), directory, trainer.iteration());
                Waiting waiting = new Waiting(orders, out -> view.waiting(out::text))) {
            while (trainer.iteration() < iterations && !stop.getAsBoolean()) {
                requireBudget(trainer);
                report = trainer.iterate(trace);
                Map<String, Number> row = MetricsRow.of(report);
                metrics.append(row);
                board.append(report.iteration(), row);
                checkpoints.save(new Checkpoints.Saved(trainer.snapshot(), NUMERICS));
                if (report.endings().diverged() > 0) {
                    tellDivergence(report, events, view);
                }
                view.show(shown(report));
            }
        } catch (BudgetReached e) {
            largerBudget = e.larger();
            view.message(e.getMessage());
            events.append("budget-reached", Map.of("message", e.getMessage()));
        } catch (RuntimeException | Error e) {
            if (!abandoned) {
                troubles.end();
                logFailure(trainer, events, e);
            }
            throw e;
        }
        troubles.end();
        events.append(
                trainer.iteration() >= iterations ? "finished" : "stopped", Map.of("iteration", trainer.iteration()));
        return report;
    }

    /** What the log cannot take, on a full disk for instance, is on the screen. */
    private static void appendIfPossible(EventLog events, String event, String message) {
        try {
            events.append(event, Map.of("message", message));
        } catch (UserException e) {
            // the run goes on
        }
    }

    /** Warnings are kept, too: those of many runs at once are not on the screen. */
    private void warn(ProgressView view, String line) {
        view.message(line);
        EventLog events = log;
        if (events != null) {
            appendIfPossible(events, "warning", line);
        }
    }

    private TraceWriter trace(Trainer trainer, EventLog events, ProgressView view) {
        return TraceWriter.open(directory.trace(), task, trainer.iteration(), keeping, complaint -> {
            view.message("pgkq: " + complaint);
            appendIfPossible(events, "trace-broken", complaint);
        });
    }

    /** What comes from outside is counted where it is bought: what the ledger knows is free. */
    private void requireBudget(Trainer trainer) {
        if (config.reward().isPresent()) {
            BudgetReached.unless(maxEvaluations, trainer.rewardEvaluations(), settings.paid());
        }
    }

    /** The log may fail for the same reason, such as a full disk: the first failure is the one to tell. */
    private static void logFailure(Trainer trainer, EventLog events, Throwable failure) {
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("iteration", trainer.iteration());
            fields.put(
                    "message", failure instanceof UserException fixable ? Advice.message(fixable) : failure.toString());
            events.append("failed", fields);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** The log may be what is broken, such as by a full disk; rewards that are out are worth more. */
    private static void tellTrouble(Trouble trouble, EventLog events, ProgressView view) {
        view.message(trouble.text());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", trouble.iteration());
        fields.put("episode", trouble.episode());
        fields.put("key", trouble.key());
        fields.put("attempt", trouble.attempt());
        fields.put("times", trouble.times());
        fields.put(
                "then",
                trouble.nextIn()
                        .map(pause -> "asked again in " + Durations.format(pause))
                        .orElse("given up"));
        fields.put("message", trouble.reason());
        try {
            events.append("reward-failed", fields);
        } catch (UserException e) {
            view.message("pgkq: " + e.getMessage());
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
                config.reward().isPresent() ? Double.NaN : report.paidReturn(),
                report.lengthMean(),
                report.rewardEvaluations(),
                steps / report.totalSeconds(),
                report.endings().diverged());
    }

    private String drawCurve() {
        String title = settings.algorithm().id() + " on " + task.id() + ", seed " + settings.seed();
        try {
            LearningCurve.write(
                    directory.curve(),
                    Metrics.read(directory.metrics()),
                    title,
                    config.reward().isEmpty());
            return directory.curve().toString();
        } catch (UserException e) {
            return "not drawn: " + e.getMessage();
        }
    }
}
