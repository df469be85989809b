package dev.pgkq.rewards.desk;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.oracle.RetryingEvaluator;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

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
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final Evaluator evaluator;
    private final OracleContents contents;
    private final RetryingEvaluator retrying;
    private final AnswerRecorder recorder;
    private final Task task;
    private final EnvironmentSpec spec;
    private final String run;
    private final WantedGrain wanted;
    private final Budget budget;
    private final PendingRewards pending;
    private final FailureReports failures;
    private final Consumer<String> warnings;
    private final RepeatedWarnings renewalErrors;
    private final Set<LedgerKey> givenUpHere = ConcurrentHashMap.newKeySet();
    /** Evaluations that an earlier process gave up, and why. */
    private final Map<LedgerKey, String> givenUpBefore = new ConcurrentHashMap<>();

    private @Nullable Account account;
    private volatile @Nullable Grain lastGrain;
    private volatile Function<Episode, Recording> recordings = episode -> Recording.NOTHING;
    private volatile boolean closing;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

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
        this.recorder = recorder;
        this.task = task;
        this.spec = task.spec();
        this.run = run;
        this.wanted = new WantedGrain(grain, evaluator, () -> account().ledger.location());
        this.budget = budget;
        this.pending = listener.pending();
        this.failures = listener.failures();
        this.retrying = new RetryingEvaluator(
                evaluator,
                retries,
                new AttemptRecorder(
                        () -> account().ledger, () -> account().spending, pending, failures, wanted, () -> closing));
        this.warnings = listener.warnings();
        this.renewalErrors = new RepeatedWarnings(warnings);
        pending.describeWith(evaluator::waitingFor);
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
        WantedGrain.require(evaluator, grain, ledger);
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
        WantedGrain.require(evaluator, grain, ledger);
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

    /** The ledger, and what the run has spent according to it. */
    private record Account(Ledger ledger, Spending spending) {}

    private synchronized Account account() {
        if (account == null) {
            Ledger ledger = recorder.open();
            try {
                account = new Account(ledger, new Spending(budget, ledger, run, contents.identity()));
            } catch (RuntimeException e) {
                ledger.close();
                throw e;
            }
        }
        return account;
    }

    /** What the evaluator gives rewards for, if it says so before it is asked. */
    public Optional<Grain> knownGrain() {
        return evaluator.grain();
    }

    /** What the most recent answer gave rewards for; empty if there was none. */
    public Optional<Grain> lastGrain() {
        return Optional.ofNullable(lastGrain);
    }

    /** What the run has paid for so far; nothing if no reward was requested yet. */
    public synchronized Spent spent() {
        return account == null ? Spent.NOTHING : account.spending.spent();
    }

    /**
     * Continues a run that was saved, after checking that the ledger still has what the run had paid for then.
     *
     * @param paid what the run had paid for
     * @param lost the part of it that was known to be lost
     * @param acceptLoss whether to go on although the ledger has less; what was paid for still counts against the budget
     * @throws LostPayments if the ledger has less, and that is not accepted
     */
    public void resume(Paid paid, Paid lost, boolean acceptLoss) {
        Spending spending = account().spending;
        Paid expected = paid.minus(lost);
        Paid found = spending.spent().answers();
        if (found.evaluations() < expected.evaluations() && !acceptLoss) {
            throw new LostPayments(expected, found, account().ledger.location(), otherNames());
        }
        spending.setLost(found.evaluations() < expected.evaluations() ? lost.plus(expected.minus(found)) : lost);
    }

    /** What the ledger has of runs whose folder had the same name: the id of this one may have changed. */
    private String otherNames() {
        Map<String, Paid> others = new TreeMap<>();
        account().ledger.read(entry -> {
            String name = entry.id().run();
            if (entry.state() == State.DONE
                    && !RunName.isSameRun(name, run)
                    && RunName.folder(name).equals(RunName.folder(run))) {
                others.merge(name, Paid.NOTHING.plus(entry.cost()), Paid::plus);
            }
        });
        return others.isEmpty()
                ? ""
                : "; it has "
                        + String.join(
                                " and ",
                                others.entrySet().stream()
                                        .map(other -> other.getValue() + " of " + other.getKey())
                                        .toList())
                        + ", while this run is " + run;
    }

    /** The answers that the run has paid for so far, with what is lost; nothing before the first request. */
    public synchronized Paid paid() {
        return account == null
                ? Paid.NOTHING
                : account.spending.spent().answers().plus(account.spending.lost());
    }

    /** The part of {@link #paid} that the ledger does not have any more. */
    public synchronized Paid lost() {
        return account == null ? Paid.NOTHING : account.spending.lost();
    }

    /** Checks that the ledger, if it is open, is the one that was opened: what was recorded elsewhere is lost. */
    public void requireLedgerUnchanged() {
        Account opened;
        synchronized (this) {
            opened = account;
        }
        if (opened != null) {
            opened.ledger.requireUnchanged();
        }
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
        recordings = source;
    }

    private record Evaluation(EvaluationId id, Episode episode) {}

    /**
     * Buys the rewards of these episodes, and waits until all are answered or given up. Episodes without steps have no rewards, and
     * are not evaluated. Those that the budget does not allow are not bought, with {@link BudgetReached} as the reason.
     *
     * @throws FirstAnswerException if the evaluator has not answered in this run and does not do what is agreed
     * @throws OracleChanged if the evaluator's contents are not those that gave the answers in the ledger; nothing has been
     *     requested then
     * @throws GrainMismatch if an answer cannot be used by training
     * @throws UserException if the ledger or the evaluator cannot be used, for instance because a disk is full or the ledger's
     *     file was deleted; answers that could not be recorded are in the spool then
     */
    @Override
    public List<Answer> request(List<Episode> episodes) {
        List<Answer> bought =
                buy(episodes.stream().filter(episode -> episode.length() > 0).toList());
        List<Answer> answers = new ArrayList<>();
        int next = 0;
        for (Episode episode : episodes) {
            answers.add(episode.length() > 0 ? bought.get(next++) : new Answer.Paid(new Rewards(new double[0])));
        }
        return answers;
    }

    private List<Answer> buy(List<Episode> episodes) {
        String oracle = contents.identity();
        List<Evaluation> evaluations = episodes.stream()
                .map(episode -> new Evaluation(EvaluationId.of(oracle, task.id(), run, episode), episode))
                .toList();
        contents.require(account().ledger);
        try (LeaseRenewer leases = new LeaseRenewer(account().ledger, this::renewalFailed, this::claimsLost)) {
            List<Claim> claims = claim(evaluations, leases);
            long known = claims.stream().filter(Claim.Done.class::isInstance).count();
            pending.begin(episodes.size(), (int) known);
            return ask(evaluations, claims, leases);
        } catch (DatabaseChanged e) {
            throw recorder.explained(e);
        } finally {
            pending.end();
            failures.reportDoubled();
        }
    }

    private List<Claim> claim(List<Evaluation> evaluations, LeaseRenewer leases) {
        List<Claim> claims = new ArrayList<>();
        for (Evaluation evaluation : evaluations) {
            Claim claim = claim(evaluation);
            if (claim instanceof Claim.Mine) {
                leases.add(evaluation.id().key());
            }
            claims.add(claim);
        }
        return claims;
    }

    private List<Answer> ask(List<Evaluation> evaluations, List<Claim> claims, LeaseRenewer leases) {
        List<LedgerKey> keys =
                evaluations.stream().map(evaluation -> evaluation.id().key()).toList();
        Inquiry inquiry = new Inquiry(keys, claims, account().spending, new Inquiry.Asker() {
            @Override
            public void announce(List<Integer> places) {
                RewardDesk.this.announce(evaluations, claims, places);
            }

            @Override
            public Future<Answer> ask(int place) {
                return submit(evaluations.get(place), claims.get(place), leases);
            }
        });
        try {
            if (!evaluator.needsAllAtOnce()) {
                inquiry.askOneByOne(givenUpBefore::containsKey);
            }
            return inquiry.askForTheRest();
        } finally {
            List<LedgerKey> unasked = inquiry.unasked();
            unasked.forEach(leases::remove);
            if (!unasked.isEmpty() && !closing) {
                release(unasked);
            }
        }
    }

    /** Ends claims of evaluations that were not asked for. Those given up before stay so. */
    private void release(List<LedgerKey> keys) {
        Ledger ledger = account().ledger;
        for (LedgerKey key : keys) {
            String reason = givenUpBefore.get(key);
            if (reason != null) {
                ledger.failed(key, reason);
            }
        }
        ledger.release(keys);
    }

    private Future<Answer> submit(Evaluation evaluation, Claim claim, LeaseRenewer leases) {
        return threads.submit(() -> {
            try {
                return await(evaluation, claim, leases);
            } finally {
                account().spending.release(evaluation.id().key());
            }
        });
    }

    /** While the desk is closing, the ledger may be closed before the last renewal. */
    private void renewalFailed(String error) {
        if (!closing) {
            renewalErrors.accept(error);
        }
    }

    private void claimsLost(String warning) {
        if (!closing) {
            warnings.accept(warning);
        }
    }

    private void announce(List<Evaluation> evaluations, List<Claim> claims, List<Integer> places) {
        List<Request> requests = new ArrayList<>();
        for (int i : places) {
            if (claims.get(i) instanceof Claim.Mine mine) {
                requests.add(request(evaluations.get(i), mine));
            }
        }
        if (!requests.isEmpty()) {
            evaluator.expect(requests);
        }
    }

    private Request request(Evaluation evaluation, Claim.Mine mine) {
        Episode episode = evaluation.episode();
        String key = evaluation.id().key().hex();
        return new Request(
                key, task.id(), episode.iteration(), mine.attempts() + 1, spec, episode, recordings.apply(episode));
    }

    private Claim claim(Evaluation evaluation) {
        LedgerKey key = evaluation.id().key();
        Ledger ledger = account().ledger;
        Claim claim = ledger.claim(evaluation.id());
        if (claim instanceof Claim.Failed failed && !givenUpHere.contains(key)) {
            ledger.askAgain(List.of(key));
            givenUpBefore.put(key, failed.reason());
            claim = ledger.claim(evaluation.id());
        }
        return claim instanceof Claim.Mine ? spooled(evaluation.id(), claim) : claim;
    }

    /** An answer in the spool has been paid for, even if the ledger that knew of it is lost. */
    private Claim spooled(EvaluationId id, Claim otherwise) {
        Optional<Reply> answer = recorder.recordSpooled(account().ledger, id);
        answer.ifPresent(
                paid -> account().spending.answered(id.key(), paid.cost().orElse(0)));
        return answer.<Claim>map(Claim.Done::new).orElse(otherwise);
    }

    private Answer await(Evaluation evaluation, Claim first, LeaseRenewer leases) throws InterruptedException {
        Claim claim = first;
        while (true) {
            switch (claim) {
                case Claim.Done done -> {
                    if (claim != first) {
                        pending.answered(evaluation.episode().index());
                    }
                    return paid(done.answer(), evaluation.episode());
                }
                case Claim.Failed failed -> {
                    pending.gaveUp(evaluation.episode().index());
                    return new Answer.Failed(failed.reason());
                }
                case Claim.Mine mine -> {
                    leases.add(evaluation.id().key());
                    try {
                        return evaluate(evaluation, mine);
                    } catch (AttemptRecorder.ClaimLost e) {
                        claim = claim(evaluation);
                    } finally {
                        leases.remove(evaluation.id().key());
                    }
                }
                case Claim.Elsewhere elsewhere -> {
                    pending.elsewhere(evaluation.episode().index(), elsewhere.owner());
                    Thread.sleep(pause(elsewhere.leaseUntil()));
                    claim = claim(evaluation);
                }
            }
        }
    }

    private static Duration pause(Instant until) {
        Duration left = Duration.between(Instant.now(), until);
        return left.isPositive() && left.compareTo(POLL_INTERVAL) < 0 ? left : POLL_INTERVAL;
    }

    private Answer evaluate(Evaluation evaluation, Claim.Mine mine) throws InterruptedException {
        LedgerKey key = evaluation.id().key();
        Episode episode = evaluation.episode();
        try {
            Reply reply = retrying.evaluate(request(evaluation, mine));
            double cost = reply.cost().orElse(budget.costOfOne());
            Reply recorded = recorder.record(account().ledger, key, reply.withCost(cost));
            account().spending.answered(key, cost);
            pending.answered(episode.index());
            return paid(recorded, episode);
        } catch (EvaluationException e) {
            if (closing) {
                throw new CancellationException();
            }
            givenUpHere.add(key);
            account().ledger.failed(key, e.getMessage());
            pending.gaveUp(episode.index());
            if (e.isAgainstContract() && !account().spending.hasAnswer()) {
                throw new FirstAnswerException(e, episode.length());
            }
            return new Answer.Failed(e.getMessage());
        }
    }

    private Answer paid(Reply reply, Episode episode) {
        lastGrain = reply.grain();
        return wanted.paid(reply, episode.length());
    }

    /** Cancels pending evaluations, which are in doubt from then on, and closes the evaluator and the ledger. */
    @Override
    public void close() {
        closing = true;
        threads.shutdownNow();
        retrying.close();
        try {
            threads.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (account != null) {
                account.ledger.close();
            }
        }
    }
}
