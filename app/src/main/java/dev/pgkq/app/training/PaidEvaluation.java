package dev.pgkq.app.training;

import dev.pgkq.app.config.ConfigFile;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.trace.TraceWriter;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.desk.BudgetReached;
import dev.pgkq.rewards.desk.FailureReports;
import dev.pgkq.rewards.desk.LostPayments;
import dev.pgkq.rewards.desk.PendingRewards;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Scores episodes of a trained run with the external reward that it was trained on. Rewards are bought as training buys them:
 * through the run's ledger, recorded before they are used, and within the run's budget. An episode that was scored before costs
 * nothing. People are asked as in training, on the page of the run. While it is open, no other process can train the run, which would spend the same budget.
 */
public final class PaidEvaluation implements AutoCloseable {
    private final RunDirectory directory;
    private final RunConfig config;
    private final TrainedRun run;
    private final FolderLock lock;
    private final PendingRewards pending = new PendingRewards(InstantSource.system());
    private final FailureReports failures = new FailureReports();
    private final RewardDesk desk;
    private final EpisodeRecordings recordings;

    private PaidEvaluation(
            RunDirectory directory, RunConfig config, TrainedRun run, FolderLock lock, Consumer<String> messages) {
        this.directory = directory;
        this.config = config;
        this.run = run;
        this.lock = lock;
        failures.setListener(failure -> messages.accept(words(failure)));
        this.desk = ExternalRewards.open(
                config,
                // rewards of steps add up
                Grain.EPISODE,
                run.task(),
                directory,
                directory.id(),
                new RewardListener(pending, failures, messages, messages, () -> false),
                Optional.empty());
        try {
            requirePayments();
        } catch (RuntimeException e) {
            desk.close();
            throw e;
        }
        this.recordings = EpisodeRecordings.of(config, run.task());
        recordings.addTo(desk, config);
        desk.warnings().forEach(messages);
        config.people()
                .ifPresent(people -> messages.accept("people rate these episodes on the page of this run: start"
                        + " 'pgkq serve " + run.path() + "' if no dashboard is open"));
    }

    /**
     * Opens the source of rewards of a run.
     *
     * @param budget settings that replace those of the run
     * @param messages receives messages for the user; may be called by any thread
     * @throws UserException if the run has no external rewards or cannot be used now, or if a setting is invalid
     */
    public static PaidEvaluation open(TrainedRun run, Map<Setting, Given> budget, Consumer<String> messages) {
        RunDirectory directory = new RunDirectory(run.path());
        RunConfig config = RunConfig.of(ConfigFile.read(directory.config()), budget);
        if (config.reward().isPresent()) {
            throw new UserException(
                    "the rewards of " + run.path() + " are the task's own and cost nothing: leave out --pay");
        }
        FolderLock lock = directory
                .tryLock()
                .orElseThrow(() -> new UserException("another process uses " + run.path()
                        + ", and both would spend the same budget: give the command again when training has ended"));
        try {
            return new PaidEvaluation(directory, config, run, lock, messages);
        } catch (RuntimeException e) {
            release(lock);
            throw e;
        }
    }

    /** What training has paid for counts here, too, and a ledger that has lost it is not replaced by a new one. */
    private void requirePayments() {
        Optional<SavedPayments> saved = directory
                .checkpoints()
                .newest()
                .map(found -> SavedPayments.of(found.saved().snapshot()));
        if (saved.isEmpty()) {
            return;
        }
        try {
            saved.get().requireLedger(ExternalRewards.ledger(config, directory.path()));
            desk.resume(saved.get().paid(), saved.get().lost(), false);
        } catch (LostPayments e) {
            throw RewardOptions.explained(e, directory);
        }
    }

    private static void release(FolderLock lock) {
        try {
            lock.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String words(FailureReports.FailedAttempt failure) {
        return "the reward of episode " + failure.episode() + " failed (attempt " + failure.attempt() + ", "
                + failure.consequence() + (failure.times() == 1 ? "" : ", " + failure.times() + " times so far") + "): "
                + failure.reason();
    }

    /** The settings of the run, with the budget that applies here. */
    public RunConfig config() {
        return config;
    }

    /**
     * Buys the rewards of these episodes and waits for them. Without the policy's noise, several episodes may be equal; their
     * reward is bought once. If the budget pays for some of them only, the others are not bought.
     *
     * @throws UserException if the budget does not pay for any
     */
    public List<Answer> score(List<Episode> episodes) {
        Map<LedgerKey, Episode> different = new LinkedHashMap<>();
        List<LedgerKey> keys =
                episodes.stream().map(episode -> LedgerKey.of("", "", episode)).toList();
        for (int i = 0; i < keys.size(); i++) {
            different.putIfAbsent(keys.get(i), episodes.get(i));
        }
        if (config.people().isPresent()) {
            // people can rate only what they see
            TraceWriter.keepEvaluated(
                    directory.trace(), run.task(), List.copyOf(different.values()), recordings::ofFrames);
        }
        List<Answer> answers = request(List.copyOf(different.values()));
        List<LedgerKey> order = List.copyOf(different.keySet());
        return keys.stream().map(key -> answers.get(order.indexOf(key))).toList();
    }

    private List<Answer> request(List<Episode> episodes) {
        try {
            List<Answer> answers = RewardOptions.explaining(desk).request(episodes);
            if (answers.stream().allMatch(Answer.NotBought.class::isInstance)
                    && answers.getFirst() instanceof Answer.NotBought(RuntimeException reason)) {
                throw reason;
            }
            return answers;
        } catch (BudgetReached e) {
            String sufficient = e.limit() == BudgetReached.Limit.EVALUATIONS
                    ? Long.toString(config.maxEvaluations() + episodes.size())
                    : e.sufficient().toPlainString();
            throw new UserException(
                    "the budget of the run does not pay for " + RunJournal.counted(episodes.size(), "more reward")
                            + ": give " + RewardOptions.larger(e).getFirst() + " " + sufficient
                            + ", which includes what training has spent, or a smaller --pay",
                    e);
        } finally {
            failures.reportRemaining();
        }
    }

    /** Describes the rewards that are waited for; empty if there are none. */
    public String waiting(int columns) {
        return pending.text(columns);
    }

    /** The number of rewards that were requested and have no answer yet. */
    public int pendingRewards() {
        return pending.asked();
    }

    /** Stops at once, from another thread. Evaluations under way are left in doubt; answers that arrived are kept. */
    public void abandon() {
        pending.close();
        desk.close();
    }

    @Override
    public void close() {
        desk.close();
        recordings.close();
        release(lock);
    }
}
