package dev.pgkq.rewards.desk;

import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A source of rewards that buys them from an evaluator and records them in a ledger.
 *
 * <ol>
 *   <li>The ledger is consulted first: what any run has paid for is not paid for again.
 *   <li>Every call counts, also one that gives no answer, and none is made that the budget does not allow. Of the episodes of a
 *       request, the first ones are paid for, as many as the budget allows.
 *   <li>Until there is a good answer, one episode is evaluated at a time. An answer that is not what is agreed ends the request.
 *   <li>Every attempt is recorded before it is made, and every answer before it is used.
 *   <li>If another run is evaluating the same episode, the desk waits for that answer.
 * </ol>
 *
 * <p>Evaluations that an earlier process gave up are tried once more by this one, because something may have changed.
 *
 * <pre>{@code
 * Path run = Path.of("runs/mine");
 * Evaluator evaluator = Evaluators.open("exec:python3 score.py", EvaluatorSettings.defaults("mine", run));
 * try (RewardDesk desk = RewardDesk.open(evaluator, task, Grain.EPISODE, Budget.ofEvaluations(200), run)) {
 *     List<Answer> answers = desk.request(episodes);
 * }
 * }</pre>
 */
public final class RewardDesk implements RewardSource {
    private final Evaluator evaluator;
    private final OracleContents contents;
    private final RunAccount account;
    private final Purchases purchases;

    /**
     * @param recorder opens the ledger when the first reward is requested
     */
    RewardDesk(
            Evaluator evaluator,
            RetryPolicy retries,
            AnswerRecorder recorder,
            Task task,
            String run,
            Grain grain,
            Budget budget,
            RewardListener listener) {
        this.evaluator = evaluator;
        this.contents = new OracleContents(evaluator);
        this.account = new RunAccount(recorder::open, budget, run, contents::identity);
        ExpectedGrain expected =
                new ExpectedGrain(grain, evaluator, () -> account.ledger().location());
        this.purchases = new Purchases(
                evaluator, contents, retries, account, recorder, task, run, expected, budget.costOfOne(), listener);
        listener.pending().describeWith(evaluator::waitingFor);
    }

    /**
     * Opens a desk that keeps its ledger in a folder and retries as usual. The folder also has a file {@code run-id}, made on
     * first use, which distinguishes the run from others whose folder has the same name.
     *
     * @param evaluator the evaluator to ask; closed with the desk
     * @param task the task whose episodes are evaluated
     * @param grain what training expects of an answer
     * @param budget what the run may pay for
     * @param folder of the run; its name and the id are the run's name in the ledger
     * @throws GrainMismatch if the evaluator cannot give what training expects; the evaluator is closed then
     * @throws UserException if the id cannot be read or written; the evaluator is closed then
     */
    public static RewardDesk open(Evaluator evaluator, Task task, Grain grain, Budget budget, Path folder) {
        String ledger = folder.resolve(Ledger.FILE).toString();
        ExpectedGrain.require(evaluator, grain, ledger);
        String run;
        try {
            run = RunId.nameOf(folder);
        } catch (UserException e) {
            evaluator.close();
            throw e;
        }
        return open(
                evaluator,
                RetryPolicy.defaults(),
                ledger,
                budget,
                task,
                run,
                folder.resolve("spool"),
                grain,
                RewardListener.none());
    }

    /**
     * Opens a desk. The ledger is opened when the first reward is requested.
     *
     * @param evaluator the evaluator to ask; closed with the desk
     * @param retries how often, how fast and how long it is asked
     * @param ledger location of the ledger, as for {@link Ledger#open(String)}
     * @param budget what the run may pay for
     * @param task the task whose episodes are evaluated
     * @param run name of the run in the ledger ({@link RunName})
     * @param spool folder for answers that cannot be written to the ledger
     * @param grain what training expects of an answer
     * @param listener informed about pending rewards and failures
     * @throws GrainMismatch if the evaluator cannot give what training expects; the evaluator is closed then
     */
    public static RewardDesk open(
            Evaluator evaluator,
            RetryPolicy retries,
            String ledger,
            Budget budget,
            Task task,
            String run,
            Path spool,
            Grain grain,
            RewardListener listener) {
        ExpectedGrain.require(evaluator, grain, ledger);
        Spool answers = new Spool(spool, Path.of(System.getProperty("java.io.tmpdir")), RunName.unique(run));
        return new RewardDesk(
                evaluator,
                retries,
                new AnswerRecorder(
                        () -> Ledger.open(
                                ledger,
                                Ledger.DEFAULT_LEASE,
                                Patience.reporting(listener.warnings(), listener.stopRequested())),
                        answers,
                        listener,
                        budget.costOfOne()),
                task,
                run,
                grain,
                budget,
                listener);
    }

    /** What the evaluator gives rewards for, if it says so before it is asked. */
    public Optional<Grain> knownGrain() {
        return evaluator.grain();
    }

    /** What the most recent answer gave rewards for; empty if there was none. */
    public Optional<Grain> lastGrain() {
        return purchases.lastGrain();
    }

    /**
     * These episodes in their order, but at the end those whose evaluation was given up: a run that is started again begins with another
     * one, in case only these cannot be evaluated.
     */
    public List<Episode> givenUpLast(List<Episode> episodes) {
        return purchases.givenUpLast(episodes);
    }

    /** What the run has paid for so far, as far as the ledger has it; nothing if no reward was requested yet. */
    public Spent spent() {
        return account.spent();
    }

    /**
     * Continues a run that was saved, after checking that the ledger still has what the run had paid for then. Calls without an
     * answer that the ledger does not have any more count as before.
     *
     * @param paid what the run had paid for
     * @param lost the part of it that was known to be lost
     * @param acceptLoss whether to go on although the ledger has fewer answers; what was paid for still counts against the budget
     * @throws LostPayments if the ledger has fewer answers, and that is not accepted
     */
    public void resume(Spent paid, Spent lost, boolean acceptLoss) {
        account.resume(paid, lost, acceptLoss);
    }

    /** What the run has paid for so far, with what is lost; nothing before the first request. */
    public Spent paid() {
        return account.spent().plus(account.lost());
    }

    /** The part of {@link #paid} that the ledger does not have any more. */
    public Spent lost() {
        return account.lost();
    }

    /** Checks that the ledger, if it is open, is the one that was opened: what was recorded elsewhere is lost. */
    public void requireLedgerUnchanged() {
        account.requireLedgerUnchanged();
    }

    /** Possible mistakes in the way the evaluator is used, such as an argument that names no file. */
    public List<String> warnings() {
        return evaluator.warnings();
    }

    /**
     * Says which version of the evaluator answers; it is 1 unless this is called before the first request. Versions have separate
     * answers in the ledger.
     *
     * @param version at least 1
     * @param reuse whether answers that the ledger has of this version are reused, even if the contents of the evaluator, such as
     *     its script, have changed since
     */
    public void useVersion(int version, boolean reuse) {
        contents.use(version, reuse);
    }

    /**
     * Adds to requests what the environment says and shows about their episodes. Only the episodes that the evaluator is asked for
     * are recorded.
     *
     * @param source records an episode, or returns what it recorded before; several threads may call it
     */
    public void recordWith(Function<Episode, Recording> source) {
        purchases.recordWith(source);
    }

    /**
     * Says what the evaluator is shown besides the episode, such as pictures: its answers may depend on it. If that is not
     * what it was shown when it gave the answers in the ledger, nothing is requested, as if the contents of the evaluator had changed.
     *
     * @param settings names and values; empty unless this is called before the first request
     */
    public void show(Map<String, String> settings) {
        contents.show(settings);
    }

    /**
     * Buys the rewards of these episodes, and waits until all are answered or given up. Episodes without steps have no rewards, and
     * are not evaluated. Those that the budget does not allow are not bought, with {@link BudgetReached} as the reason.
     *
     * @throws FirstAnswerException if the evaluator has not answered in this run and does not do what is agreed
     * @throws OracleChanged if the evaluator's contents, or what it is shown, are not those that gave the answers in the ledger;
     *     nothing has been requested then
     * @throws GrainMismatch if an answer cannot be used by training
     * @throws UserException if the ledger or the evaluator cannot be used, for instance because a disk is full or the ledger's
     *     file was deleted; answers that could not be recorded are in the spool then
     */
    @Override
    public List<Answer> request(List<Episode> episodes) {
        List<Answer> bought = purchases.buy(
                episodes.stream().filter(episode -> episode.length() > 0).toList());
        List<Answer> answers = new ArrayList<>();
        int next = 0;
        for (Episode episode : episodes) {
            answers.add(episode.length() > 0 ? bought.get(next++) : new Answer.Paid(new Rewards(new double[0])));
        }
        return answers;
    }

    /** Cancels pending evaluations, which are in doubt from then on, and closes the evaluator and the ledger. */
    @Override
    public void close() {
        purchases.close();
        account.close();
    }
}
