package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.plot.LearningCurve;
import dev.pgkq.app.run.EventLog;
import dev.pgkq.app.run.Metrics;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.LocalSource;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.linalg.Blas;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.FailureReports;
import dev.pgkq.rewards.desk.LostPayments;
import dev.pgkq.rewards.desk.PendingRewards;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.desk.WaitReporter;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains in a run directory: opens the cluster, the rewards, the trainer and the files of the run, restores the newest
 * checkpoint if the run is resumed, and closes everything when the {@linkplain TrainingLoop loop} ends.
 */
public final class TrainingRun {
    private static final int ID_DIGITS = 12;

    private volatile TrainingPlan plan;
    private volatile OptionalInt paidFirst = OptionalInt.empty();
    private volatile boolean resume;
    private final Optional<ClusterSettings> clusterSettings;
    private final String id;
    private final PendingRewards pending = new PendingRewards(InstantSource.system());
    private final FailureReports failures = new FailureReports();
    private final EpisodeRecordings recordings;
    private volatile Optional<Cluster> cluster = Optional.empty();
    private volatile @Nullable RewardDesk desk;
    private volatile @Nullable RunJournal journal;
    private boolean begun;
    private volatile boolean abandoned;

    /**
     * Checks all settings; nothing is written yet.
     *
     * @param directory of the run
     * @param resume whether to continue the run that the directory holds
     */
    public TrainingRun(RunDirectory directory, boolean resume, RunConfig config) {
        this.plan = TrainingPlan.of(directory, resume ? FirstReward.restored(config, directory.checkpoints()) : config);
        this.recordings = EpisodeRecordings.of(plan.config(), plan.task());
        this.resume = resume;
        this.clusterSettings = config.cluster();
        this.id = directory.holdsRun() ? directory.id() : newId();
        // where answers may be known already, they cost nothing
        boolean knowsAnswers = resume || config.has(Setting.LEDGER);
        if (!plan.paysForOneIteration() && !knowsAnswers) {
            throw new UserException("--max-evaluations " + plan.maxEvaluations()
                    + " does not pay for a single iteration of " + plan.algorithm() + ", which may need "
                    + plan.settings().needed()
                    + " evaluations: give at least that many, or a smaller --select or --batch");
        }
    }

    private static String newId() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, ID_DIGITS);
    }

    /**
     * How far a run came.
     *
     * @param iterations the run has when it is complete
     * @param iteration the last one that is done
     * @param done how many were done by this call
     * @param last report of the last one done by this call; null if there was none
     * @param time this call spent on them
     * @param curve file of the learning curve, or why it could not be drawn
     * @param largerBudget the option that continues the run, if its budget ended it; otherwise empty
     */
    public record Outcome(
            int iterations,
            int iteration,
            int done,
            @Nullable IterationReport last,
            Duration time,
            String curve,
            List<String> largerBudget) {
        /** Whether all iterations are done. */
        public boolean complete() {
            return iteration >= iterations;
        }

        /** Whether the run ended as its settings say: with all iterations, or with its budget. */
        public boolean endedAsPlanned() {
            return complete() || !largerBudget.isEmpty();
        }
    }

    /**
     * Trains until all iterations are done or {@code stop} says so; an iteration under way is finished first.
     *
     * @param view shows every iteration
     */
    public Outcome run(ProgressView view, BooleanSupplier stop) {
        try (recordings) {
            return settledRun(view, stop);
        }
    }

    private Outcome settledRun(ProgressView view, BooleanSupplier stop) {
        RunJournal reports = new RunJournal(plan, view);
        journal = reports;
        RewardListener rewards = new RewardListener(pending, failures, reports::message, reports::warn, stop);
        if (plan.config().isGrainOpen()) {
            try {
                settleGrain(view, reports, rewards);
            } catch (BudgetReached e) {
                return new Outcome(plan.iterations(), 0, 0, null, Duration.ZERO, "", RewardOptions.larger(e));
            }
        }
        cluster = clusterSettings.map(settings -> connect(settings, reports));
        try {
            return run(view, reports, rewards);
        } finally {
            cluster.ifPresent(Cluster::close);
        }
    }

    private Cluster connect(ClusterSettings settings, RunJournal reports) {
        reports.connecting(settings.master());
        return ClusterProvider.find()
                .connect(
                        settings,
                        plan.task(),
                        plan.settings(),
                        plan.config().monitored(),
                        plan.directory().name(),
                        reports::warn);
    }

    /** Evaluates an episode of the first iteration in this process, before the algorithm is composed. */
    private void settleGrain(ProgressView view, RunJournal reports, RewardListener rewards) {
        // what cannot be sampled leaves nothing behind
        List<Episode> candidates = FirstReward.candidates(plan);
        RunDirectory directory = plan.directory();
        try (RewardDesk opened = openDesk(Grain.EPISODE, rewards, Optional.empty());
                FolderLock lock = directory.lock()) {
            if (resume) {
                CheckpointRestore.find(directory, plan.iterations());
            }
            begin(directory);
            try (EventLog events = EventLog.open(directory.events());
                    WaitReporter waiting = new WaitReporter(pending, out -> view.waiting(out::text))) {
                reports.writeTo(events);
                failures.setListener(reports::rewardFailed);
                FirstReward first;
                try {
                    first = FirstReward.of(opened, candidates);
                } catch (BudgetReached e) {
                    reports.budgetReached(e);
                    throw e;
                } catch (UserException e) {
                    failed(reports, opened, e);
                    throw e;
                }
                plan = plan.withGrain(first.grain());
                paidFirst = first.episode();
                resume = true;
                reports.settled(plan, first);
            } finally {
                reports.stopWriting();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The run is in its directory from now on. */
    private void begin(RunDirectory directory) {
        if (!resume && directory.holdsRun()) {
            throw new UserException(
                    "another run was started in " + directory.path() + " in the meantime; choose another --out");
        }
        if (!directory.holdsRun()) {
            directory.identify(id);
        }
        ConfigFile.write(directory.config(), plan.config());
        begun = true;
    }

    private void failed(RunJournal reports, RewardDesk opened, UserException failure) {
        if (!abandoned) {
            failures.reportRemaining();
            reports.failed(0, failure);
            reports.spent(opened.paid(), opened.lost());
        }
    }

    private Outcome run(ProgressView view, RunJournal reports, RewardListener rewards) {
        RunDirectory directory = plan.directory();
        // the trainer first: if it cannot start, nothing is left behind
        try (Trainer trainer = openTrainer(rewards);
                FolderLock lock = directory.lock()) {
            CheckpointRestore restore =
                    resume ? CheckpointRestore.find(directory, plan.iterations()) : CheckpointRestore.none(directory);
            begin(directory);
            try (EventLog events = EventLog.open(directory.events())) {
                reports.writeTo(events);
                return train(trainer, restore, view, reports, rewards);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** External rewards are not known for all episodes: the learning curve then shows the task's own reward. */
    private Trainer openTrainer(RewardListener listener) {
        RunConfig config = plan.config();
        RewardSource rewards = config.reward()
                .map(reward -> RewardSource.of(reward.open(
                        plan.task(), plan.rewardNoise(), plan.settings().seed())))
                .orElseGet(() -> openRewards(listener));
        if (cluster.isPresent()) {
            return new Trainer(
                    plan.task(), plan.settings(), rewards, cluster.get().source(), new Workers(plan.threads()));
        }
        return config.hasTaskReward()
                ? new Trainer(plan.task(), plan.settings(), rewards, openMonitor(rewards), plan.threads())
                : withoutMonitor(rewards);
    }

    /** A trainer whose reports have no returns of all episodes: NaN. */
    private Trainer withoutMonitor(RewardSource rewards) {
        Workers workers = new Workers(plan.threads());
        EpisodeSource.Opener source = (kernel, own) -> new LocalSource(
                new LocalRollouts(plan.task(), plan.settings().seed(), RolloutMode.TRAINING, workers),
                episode -> Double.NaN,
                workers);
        return new Trainer(plan.task(), plan.settings(), rewards, source, workers);
    }

    /** The trainer closes the rewards if it cannot start; without a monitor there is no trainer. */
    private RewardOracle openMonitor(RewardSource rewards) {
        try {
            return plan.config().monitored().open(plan.task());
        } catch (RuntimeException e) {
            rewards.close();
            throw e;
        }
    }

    private RewardSource openRewards(RewardListener listener) {
        return RewardOptions.explaining(openDesk(
                plan.config().grain(),
                listener,
                clusterSettings.filter(ClusterSettings::rewards).flatMap(settings -> cluster)));
    }

    private RewardDesk openDesk(Grain grain, RewardListener listener, Optional<Cluster> evaluating) {
        RewardDesk opened =
                ExternalRewards.open(plan.config(), grain, plan.task(), plan.directory(), id, listener, evaluating);
        desk = opened;
        RunJournal reports = journal;
        if (reports != null) {
            reports.countWith(opened::paid);
        }
        recordings.addTo(opened, plan.config());
        return opened;
    }

    private Outcome train(
            Trainer trainer, CheckpointRestore restore, ProgressView view, RunJournal reports, RewardListener rewards) {
        if (!Blas.whyNotNative().isEmpty()) {
            reports.withoutNativeBlas();
        }
        restore.into(trainer, reports);
        Optional<RewardDesk> opened = Optional.ofNullable(desk);
        if (trainer.iteration() < plan.iterations()) {
            opened.ifPresent(there -> restore.payments().ifPresent(paid -> resume(there, paid, reports)));
        }
        reports.started(restore.isPresent(), trainer.iteration(), cluster);
        opened.ifPresent(there -> there.warnings().forEach(reports::warn));
        int first = trainer.iteration();
        Instant start = Instant.now();
        TrainingLoop.Result result;
        try {
            Paid settled = restore.payments()
                    .map(SavedPayments::paid)
                    .map(Spent::total)
                    .orElse(Paid.NOTHING);
            result = new TrainingLoop(plan, trainer, reports, opened, settled, paidFirst, recordings)
                    .run(rewards, view, () -> abandoned);
        } catch (UserException e) {
            if (!abandoned) {
                opened.ifPresent(there -> reports.spent(there.paid(), there.lost()));
            }
            throw e;
        }
        view.finish();
        Duration time = Duration.between(start, Instant.now());
        return new Outcome(
                plan.iterations(),
                trainer.iteration(),
                trainer.iteration() - first,
                result.last(),
                time,
                trainer.iteration() > 0 ? drawCurve() : "",
                result.largerBudget());
    }

    /** Continues with the ledger, if it still has what the run has paid for. */
    private void resume(RewardDesk opened, SavedPayments saved, RunJournal reports) {
        boolean acceptLoss = plan.config().flag(Setting.ACCEPT_LOST_LEDGER);
        try {
            if (!acceptLoss) {
                saved.requireLedger(
                        ExternalRewards.ledger(plan.config(), plan.directory().path()));
            }
            opened.resume(saved.paid(), saved.lost(), acceptLoss);
        } catch (LostPayments e) {
            throw RewardOptions.explained(e, plan.directory());
        }
        if (!opened.lost().equals(saved.lost())) {
            reports.lostLedger(opened.lost());
        }
    }

    private String drawCurve() {
        RunDirectory directory = plan.directory();
        String title = plan.algorithm() + " on " + plan.task().id() + ", seed "
                + plan.settings().seed();
        try {
            LearningCurve.write(directory.curve(), Metrics.read(directory.metrics()), title, plan.hasExternalRewards());
            return directory.curve().toString();
        } catch (UserException e) {
            return "not drawn: " + e.getMessage();
        }
    }

    /** Whether the run is in its directory and can be resumed there. */
    public boolean hasBegun() {
        return begun;
    }

    /** The number of rewards that were requested and have no answer yet. */
    public int pendingRewards() {
        return pending.asked();
    }

    /**
     * Stops at once, from another thread; {@link #run} then fails. Evaluations under way are cancelled where that is
     * possible. They are left in doubt: the ledger has no claim on them any more.
     */
    public void abandon() {
        abandoned = true;
        RunJournal reports = journal;
        if (reports != null) {
            reports.abandoned(pendingRewards());
        }
        RewardDesk opened = desk;
        if (opened != null) {
            pending.close();
            try {
                opened.close();
            } catch (UserException e) {
                // the ledger is gone: its message says what was saved
                if (reports != null) {
                    reports.warn(String.valueOf(e.getMessage()));
                }
            }
        }
        cluster.ifPresent(Cluster::cancel);
    }
}
