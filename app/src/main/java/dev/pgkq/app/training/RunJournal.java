package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.EventLog;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.linalg.Blas;
import dev.pgkq.linalg.Elementwise;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.FailureReports.FailedAttempt;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.ledger.FailureKind;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.Numbers;
import dev.pgkq.text.UserException;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.IterationReport.Stage;
import dev.pgkq.train.Trainer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Reports what happens in a run, on the screen and, once it is open, in the event log. Messages and events of a run while it
 * trains are worded here. Threads may share one.
 */
final class RunJournal {
    /** Up to this mean length, the last step's reward is a large part of an episode's. */
    private static final double SHORT_EPISODES = 2;

    /** Iterations in a row whose rewards are all equal before a warning. */
    private static final int EQUAL_ITERATIONS = 3;

    private final ProgressView view;
    private volatile TrainingPlan plan;
    private volatile Optional<EventLog> events = Optional.empty();
    private final Set<String> shownReasons = ConcurrentHashMap.newKeySet();
    private final Set<String> shownRemedies = ConcurrentHashMap.newKeySet();
    private volatile Supplier<Spent> spent = () -> Spent.NOTHING;
    private boolean wasWithoutEffect;
    private int equalIterations;

    RunJournal(TrainingPlan plan, ProgressView view) {
        this.plan = plan;
        this.view = view;
    }

    /** Reports what the first answer showed about rewards, and a plan that takes account of it. */
    void settled(TrainingPlan better, FirstReward first) {
        plan = better;
        message("--reward-per auto: " + plan.config().text(Setting.REWARD).strip() + " gives "
                + (first.grain() == Grain.EPISODE
                        ? "one number for a whole episode, so the run uses --reward-per episode"
                        : "a reward for every step, so the run uses --reward-per step"));
    }

    /**
     * Says what was paid for before a run failed.
     *
     * @param spent all of it
     * @param lost the part that the ledger does not have any more
     */
    void spent(Spent spent, Spent lost) {
        view.message(
                spent.total().evaluations() == 0
                        ? "nothing has been paid for: no call that may cost something was made"
                        : "paid for so far: " + counted((int) spent.answers().evaluations(), "answer") + " and "
                                + counted((int) spent.unanswered().evaluations(), "call") + " without an answer"
                                + (spent.total().cost().signum() > 0
                                        ? ", cost "
                                                + Numbers.brief(
                                                        spent.total().cost().doubleValue())
                                        : "")
                                + (lost.total().evaluations() > 0
                                        ? ", of which the ledger has lost "
                                                + lost.total().evaluations()
                                        : "")
                                + "; all of them count against the budget");
    }

    /** Counts failed calls as this says from now on. */
    void countWith(Supplier<Spent> paid) {
        spent = paid;
    }

    /** Writes events to this log from now on. */
    void writeTo(EventLog log) {
        events = Optional.of(log);
    }

    /** Writes no more events, because the log is closed. */
    void stopWriting() {
        events = Optional.empty();
    }

    private void append(String event, Map<String, ?> fields) {
        events.ifPresent(log -> log.append(event, fields));
    }

    /** The log may fail, on a full disk for instance; the message is on the screen and the run continues. */
    private void appendIfPossible(String event, String message) {
        try {
            append(event, Map.of("message", message));
        } catch (UserException e) {
            // the run continues
        }
    }

    /** Shows a message that is not about a problem, and logs it. */
    void message(String notice) {
        view.message(notice);
        appendIfPossible("message", notice);
    }

    /** Shows a warning and logs it: a grid of many runs has no room for the messages of each. */
    void warn(String problem) {
        view.warn(problem);
        appendIfPossible("warning", problem);
    }

    void connecting(String master) {
        view.message("connecting to " + master + " …");
    }

    /** The run starts, or resumes, with what its results depend on. */
    void started(boolean resumed, int iteration, Optional<Cluster> cluster) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", iteration);
        fields.put("iterations", plan.iterations());
        fields.put("threads", plan.threads());
        cluster.ifPresent(there -> fields.put("cluster", there.description()));
        fields.put("numerics", TrainingLoop.NUMERICS);
        fields.put("simd", Elementwise.best().description());
        fields.put("java", Runtime.version().toString());
        append(resumed ? "resumed" : "started", fields);
        view.message(headline(cluster));
        if (plan.hasExternalRewards()) {
            view.message("rewards from " + plan.config().shown(Setting.REWARD)
                    + "; 'paid return' is their mean with the algorithm's weights"
                    + (plan.config().hasTaskReward()
                            ? "; 'task return' is the mean of the task's own reward over all episodes, which is free and not"
                                    + " used for training"
                            : ""));
        }
        if (!plan.paysForOneIteration()) {
            view.warn("--max-evaluations " + plan.maxEvaluations()
                    + " does not pay for a whole iteration, which may need "
                    + plan.settings().needed()
                    + ": the run continues only as far as the ledger has the answers already");
        }
        for (String option : plan.config().withoutEffect()) {
            view.warn(option + " has no effect with " + plan.algorithm());
        }
    }

    private String headline(Optional<Cluster> cluster) {
        int sampled = plan.settings().sampled();
        int paid = plan.settings().paid();
        return plan.algorithm() + " on " + plan.task().id() + ": " + counted(plan.iterations(), "iteration") + " of "
                + counted(sampled, "episode") + ", " + (paid < sampled ? "at most " + paid : "all")
                + " paid for, seed " + plan.settings().seed() + ", "
                + cluster.map(Cluster::description).orElseGet(() -> counted(plan.threads(), "thread"))
                + ", in " + plan.directory().path();
    }

    static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    void withoutNativeBlas() {
        view.warn("OpenBLAS is not in use, training will be slow: " + Blas.whyNotNative());
    }

    void damagedCheckpoint(String problem) {
        view.warn("damaged checkpoint, using the previous one: " + problem);
        append("damaged-checkpoint", Map.of("message", problem));
    }

    void resuming(int iteration) {
        view.message("resuming after iteration " + iteration);
    }

    void missingMetrics(int rows, int iteration) {
        String gap = plan.directory().metrics() + " has " + rows + " rows for " + iteration
                + " iterations: the file was changed; the missing rows are not restored";
        view.warn(gap);
        append("missing-metrics", Map.of("message", gap));
    }

    void otherNumerics(String before) {
        view.warn("the run was computed with " + before + ", this machine has " + TrainingLoop.NUMERICS
                + ": the run continues, but is rounded differently from an uninterrupted one");
    }

    void lostLedger(Spent lost) {
        int calls = (int) lost.unanswered().evaluations();
        warn("the ledger does not have " + lost.answers()
                + (calls == 0 ? "" : ", and " + counted(calls, "call") + " without an answer,")
                + " that this run has paid for; they still count against its budget");
    }

    void traceFailed(String problem) {
        view.warn(problem);
        appendIfPossible("trace-broken", problem);
    }

    /**
     * Shows every reason once, and logs it each time. Rewards that are out are worth more than a log that cannot be written.
     */
    void rewardFailed(FailedAttempt failure) {
        boolean isNew = shownReasons.add(FailureKind.of(failure.reason()));
        view.message(
                failure.times() > 1
                        ? (isNew ? failure.text() : failure.countWithoutReason()) + counted(failure)
                        : (isNew ? failure : asBefore(failure)).text());
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", failure.iteration());
        fields.put("episode", failure.episode());
        fields.put("key", failure.key());
        fields.put("attempt", failure.attempt());
        fields.put("times", failure.times());
        fields.put("then", failure.consequence());
        fields.put("message", failure.reason());
        try {
            append("reward-failed", fields);
        } catch (UserException e) {
            view.warn(String.valueOf(e.getMessage()));
        }
    }

    /** How many failed calls count against the budget, and, once for each kind of failure that is repeated, what changes that. */
    private String counted(FailedAttempt failure) {
        RunConfig config = plan.config();
        if (config.people().isPresent()) {
            return "";
        }
        long calls = spent.get().unanswered().evaluations();
        String count = calls == 0
                ? ". Failed calls do not count against the budget"
                : ". In all, " + counted((int) calls, "call") + " without an answer "
                        + (calls == 1 ? "counts" : "count") + " against the budget";
        int attempts =
                config.countOr(Setting.REWARD_ATTEMPTS, RetryPolicy.defaults().attempts());
        return shownRemedies.add(FailureKind.of(failure.reason()))
                ? count + ". --reward-attempts (now " + attempts + ") limits the calls for a reward"
                        + (calls == 0 ? "" : "; with --cost-of-failure 0 failed calls are free and do not count")
                : count;
    }

    private static FailedAttempt asBefore(FailedAttempt failure) {
        return new FailedAttempt(
                failure.iteration(),
                failure.episode(),
                failure.key(),
                failure.attempt(),
                "the reason is the one above",
                failure.nextIn(),
                failure.times());
    }

    void iteration(IterationReport report) {
        if (report.endings().diverged() > 0) {
            diverged(report.iteration(), report.endings().diverged());
        }
        report.unanswered()
                .ifPresent(why -> warn("iteration " + report.iteration()
                        + " trained on what is believed about rewards, because most that it asked for are missing; "
                        + Trainer.MOST_UNANSWERED + " such iterations in a row stop the run: " + why));
        // a sum over samples, which is exactly 0 in practice only if the advantage of each is 0
        boolean hasOneNumber =
                report.rewardEvaluations() == 1 && plan.settings().episodes().grain() == Grain.EPISODE;
        boolean isWithoutEffect = report.step().objective() == 0 && !hasOneNumber;
        if (isWithoutEffect && !wasWithoutEffect) {
            withoutEffect(report);
        }
        wasWithoutEffect = isWithoutEffect;
        if (report.paidSpread() == 0 && !isWithoutEffect && ++equalIterations == EQUAL_ITERATIONS) {
            warn("all rewards that were paid for in each of " + EQUAL_ITERATIONS
                    + " iterations are equal: nothing can be learned from them. If this is the highest possible reward, the"
                    + " task is solved, and you can stop. Otherwise check what the reward measures; if it is rarely above 0,"
                    + " a larger --select finds differences sooner");
        } else if (report.paidSpread() > 0) {
            equalIterations = 0;
        }
        IterationView done = new IterationView(
                report.iteration(),
                plan.iterations(),
                report.returnMean(),
                report.returnSe(),
                plan.hasExternalRewards() ? report.paidReturn() : Double.NaN,
                report.lengthMean(),
                report.rewardEvaluations(),
                report.lengthMean() * plan.settings().sampled() / report.totalSeconds(),
                report.endings().diverged());
        view.show(plan.asksPeople() ? done.ratedIn(timeOf(report, Stage.REWARD)) : done);
    }

    /** The algorithm goes on without further evaluations. */
    void evaluationsSpent(int iteration) {
        spent("--max-evaluations " + plan.maxEvaluations() + " is spent", iteration);
    }

    /** What is left of the limit in money does not pay for another evaluation, and the algorithm goes on without. */
    void costSpent(int iteration) {
        spent("--max-cost " + plan.config().text(Setting.MAX_COST) + " does not pay for another evaluation", iteration);
    }

    /** The budget does not allow what the next iteration would pay for, and the algorithm goes on without. */
    void refused(BudgetReached e, int iteration) {
        spent(e.getMessage(), iteration);
    }

    private void spent(String what, int iteration) {
        message(what + ": the remaining " + counted(plan.iterations() - iteration, "iteration")
                + " train on what is believed about rewards");
    }

    /** The policy was tried on episodes of its own. */
    void tried(int iteration, Statistics returns, boolean isBest) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", iteration);
        fields.put("return", returns.mean());
        fields.put("episodes", returns.count());
        fields.put("best", isBest);
        append("evaluated", fields);
        view.message("iteration " + iteration + ": without noise the policy earns " + Numbers.brief(returns.mean())
                + (returns.count() > 1 ? " ± " + Numbers.brief(returns.standardError()) : "") + " in "
                + counted(returns.count(), "episode") + (isBest ? ", the best so far" : ""));
    }

    private static Duration timeOf(IterationReport report, Stage stage) {
        return Duration.ofNanos(Math.round(1e9 * report.seconds().getOrDefault(stage, 0.0)));
    }

    private void withoutEffect(IterationReport report) {
        boolean cancels =
                plan.settings().advantage().estimator() == AdvantageForm.E2 && report.lengthMean() <= SHORT_EPISODES;
        warn("iteration " + report.iteration()
                + ": the rewards that were paid for gave no gradient, because all advantages are 0. "
                + (cancels
                        ? "--estimator e2 cancels the reward of an episode's last step, and these episodes have hardly any"
                                + " other: use --estimator bootstrap"
                        : "All rewards seem to be equal: check what the reward measures; if it is rarely above 0, a larger"
                                + " --select finds differences sooner"));
    }

    private void diverged(int iteration, int episodes) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("iteration", iteration);
        fields.put("episodes", episodes);
        append("diverged", fields);
        view.message("iteration " + iteration + ": the simulation of " + counted(episodes, "episode")
                + " diverged; only the steps before that are used");
    }

    void budgetReached(BudgetReached reached) {
        String message = RewardOptions.message(reached);
        view.message(message);
        append("budget-reached", Map.of("message", message));
    }

    /** The run ends, either complete or stopped on request or at its budget. */
    void ended(int iteration) {
        append(iteration >= plan.iterations() ? "finished" : "stopped", Map.of("iteration", iteration));
    }

    /** The log may fail for the same reason, such as a full disk: the first failure is the one to report. */
    void failed(int iteration, Throwable failure) {
        try {
            Map<String, Object> fields = new LinkedHashMap<>();
            fields.put("iteration", iteration);
            fields.put(
                    "message", failure instanceof UserException fixable ? Advice.message(fixable) : failure.toString());
            append("failed", fields);
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    /** The run is stopped at once; releasing its rewards matters more than the log. */
    void abandoned(int pendingRewards) {
        try {
            append("stopped", Map.of("atOnce", true, "pendingRewards", pendingRewards));
        } catch (RuntimeException e) {
            // the rewards are released nevertheless
        }
    }
}
