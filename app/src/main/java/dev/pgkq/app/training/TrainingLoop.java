package dev.pgkq.app.training;

import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.Checkpoints;
import dev.pgkq.app.run.MetricsFile;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.linalg.Blas;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.desk.WaitReporter;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.state.Snapshot;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.Trainer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Trains iteration after iteration until the run is complete, a stop is requested or the budget is spent. After every
 * iteration the metrics are on disk first and the checkpoint second: whatever stops the process, the newest checkpoint is
 * never ahead of the metrics, and resuming repeats what came after it.
 */
final class TrainingLoop {
    /** What rounding depends on. SIMD is not part of it: it equals its scalar twin to the last bit. */
    static final String NUMERICS = Blas.best().description();

    private final TrainingPlan plan;
    private final Trainer trainer;
    private final RunJournal journal;
    private final OptionalInt paidFirst;
    private final Optional<RewardDesk> desk;
    private final EpisodeRecordings recordings;

    /** What the iterations so far have paid for. Answers to one that was interrupted are not part of it. */
    private Paid settled;

    /** Whether the desk has refused to pay for more. */
    private boolean isSpent;

    /**
     * What the loop did.
     *
     * @param last report of the last iteration; null if there was none
     * @param largerBudget the option that continues the run, if the budget ended it; otherwise empty
     */
    record Result(@Nullable IterationReport last, List<String> largerBudget) {}

    /**
     * @param desk where external rewards are bought; empty if the rewards are the task's own
     * @param settled what the iterations before have paid for
     * @param paidFirst index in the first batch of an episode that has been paid for already; empty if there is none
     * @param recordings pictures of chosen episodes
     */
    TrainingLoop(
            TrainingPlan plan,
            Trainer trainer,
            RunJournal journal,
            Optional<RewardDesk> desk,
            Paid settled,
            OptionalInt paidFirst,
            EpisodeRecordings recordings) {
        this.plan = plan;
        this.trainer = trainer;
        this.journal = journal;
        this.desk = desk;
        this.paidFirst = paidFirst;
        this.settled = settled;
        this.recordings = recordings;
    }

    /**
     * Trains; an iteration under way when a stop is requested is finished first.
     *
     * @param rewards what is reported about rewards, and whether to stop
     * @param view shows which rewards are waited for
     * @param abandoned whether the run is being stopped at once: failures are then expected, and not reported
     */
    Result run(RewardListener rewards, ProgressView view, BooleanSupplier abandoned) {
        RunDirectory directory = plan.directory();
        IterationReport last = null;
        List<String> largerBudget = List.of();
        rewards.failures().setListener(journal::rewardFailed);
        try (TraceWriter trace = TraceWriter.open(
                        directory.trace(),
                        plan.task(),
                        trainer.iteration(),
                        plan.keeping(),
                        recordings::ofFrames,
                        journal::traceFailed);
                MetricsFile metrics =
                        MetricsFile.openForResume(directory.metrics(), MetricsRow.COLUMNS, trainer.iteration());
                TensorBoardLog board =
                        TensorBoardLog.open(plan.config().flag(Setting.TENSORBOARD), directory, trainer.iteration());
                PolicyTrial trial = PolicyTrial.open(plan, journal);
                WaitReporter waiting = new WaitReporter(rewards.pending(), out -> view.waiting(out::text))) {
            while (trainer.iteration() < plan.iterations()
                    && !rewards.stopRequested().getAsBoolean()) {
                Left before = left();
                last = iterate(trace);
                Map<String, Number> row = MetricsRow.of(last);
                if (trial != null) {
                    row.putAll(trial.after(trainer));
                }
                metrics.append(row);
                board.append(last.iteration(), row);
                directory.checkpoints().save(new Checkpoints.Saved(snapshot(), NUMERICS));
                desk.ifPresent(RewardDesk::requireLedgerUnchanged);
                settled = desk.map(RewardDesk::paid).map(Spent::total).orElse(settled);
                journal.iteration(last);
                reportSpent(before, last.iteration());
            }
        } catch (BudgetReached e) {
            largerBudget = RewardOptions.larger(e);
            journal.budgetReached(e);
        } catch (RuntimeException | Error e) {
            if (!abandoned.getAsBoolean()) {
                rewards.failures().reportRemaining();
                journal.failed(trainer.iteration(), e);
            }
            throw e;
        }
        rewards.failures().reportRemaining();
        journal.ended(trainer.iteration());
        return new Result(last, largerBudget);
    }

    private Snapshot snapshot() {
        Snapshot snapshot = trainer.snapshot();
        return desk.map(rewards -> SavedPayments.add(snapshot, rewards)).orElse(snapshot);
    }

    /** If calls without an answer have used up what was left, an algorithm that can do without further rewards goes on. */
    private IterationReport iterate(TraceWriter trace) {
        OptionalInt known = trainer.iteration() == 0 ? paidFirst : OptionalInt.empty();
        try {
            return trainer.iterate(trace, allowed(), known);
        } catch (BudgetReached e) {
            if (!plan.settings().decidesHowMany() || trainer.rewardEvaluations() == 0) {
                throw e;
            }
            isSpent = true;
            journal.refused(e, trainer.iteration());
            return trainer.iterate(trace, 0);
        }
    }

    /** Whether there are evaluations, and money, for another one. */
    private record Left(boolean evaluations, boolean money) {}

    private Left left() {
        long paid = trainer.rewardEvaluations();
        return new Left(countable() > paid, affordable() > paid);
    }

    /** An algorithm that can do without further rewards goes on when the budget is spent, which calls without an answer may do, too. */
    private void reportSpent(Left before, int iteration) {
        if (!plan.settings().decidesHowMany() || isSpent || iteration == plan.iterations()) {
            return;
        }
        Left now = left();
        if (before.evaluations && !now.evaluations) {
            journal.evaluationsSpent(iteration);
        } else if (before.money && !now.money) {
            journal.costSpent(iteration);
        }
    }

    /** The number of evaluations that the whole run can pay for within its limit in money. */
    private long affordable() {
        return plan.maxCost().evaluations(settled, trainer.rewardEvaluations());
    }

    /** The number of evaluations that the whole run can have: calls without an answer count, and answers that the ledger knows do not. */
    private long countable() {
        long most = plan.maxEvaluations();
        return plan.hasExternalRewards() && most < Long.MAX_VALUE
                ? trainer.rewardEvaluations() + Math.max(0, most - settled.evaluations())
                : most;
    }

    /**
     * The most episodes that the next iteration may pay for. External rewards are counted where they are bought, since answers that
     * the ledger knows are free.
     */
    private int allowed() {
        long paid = trainer.rewardEvaluations();
        if (plan.settings().decidesHowMany()) {
            long budget = isSpent ? paid : Math.min(countable(), affordable());
            return Math.min(plan.round(), new Allowance(budget, plan.iterations()).of(paid, trainer.iteration()));
        }
        if (plan.hasExternalRewards() || plan.maxEvaluations() == Long.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        BudgetReached.checkEvaluations(
                plan.maxEvaluations(), paid, plan.settings().needed());
        return (int) Math.min(Integer.MAX_VALUE, plan.maxEvaluations() - paid);
    }
}
