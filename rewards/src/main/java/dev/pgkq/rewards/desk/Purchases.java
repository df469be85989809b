package dev.pgkq.rewards.desk;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.Recorded;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.oracle.RetryingEvaluator;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
 * Buys the rewards of one request after another: claims each evaluation in the ledger, asks the evaluator for those that are
 * neither known nor claimed elsewhere, records every attempt and every answer, and waits until all are answered or given up.
 */
final class Purchases {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(30);

    private final Evaluator evaluator;
    private final OracleContents contents;
    private final RetryingEvaluator retrying;
    private final RunAccount account;
    private final AnswerRecorder recorder;
    private final Task task;
    private final EnvironmentSpec spec;
    private final String run;
    private final ExpectedGrain expected;
    private final double costOfOne;
    private final PendingRewards pending;
    private final FailureReports failures;
    private final Consumer<String> warnings;
    private final RepeatedWarnings renewalErrors;
    private final Set<LedgerKey> givenUpHere = ConcurrentHashMap.newKeySet();
    /** Evaluations that an earlier process gave up, and why. */
    private final Map<LedgerKey, String> givenUpBefore = new ConcurrentHashMap<>();

    private volatile @Nullable Grain lastGrain;
    private volatile Function<Episode, Recording> recordings = episode -> Recording.NOTHING;
    private volatile boolean closing;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param contents of the evaluator
     * @param costOfOne cost of an answer that does not state one
     */
    Purchases(
            Evaluator evaluator,
            OracleContents contents,
            RetryPolicy retries,
            RunAccount account,
            AnswerRecorder recorder,
            Task task,
            String run,
            ExpectedGrain expected,
            double costOfOne,
            RewardListener listener) {
        this.evaluator = evaluator;
        this.contents = contents;
        this.account = account;
        this.recorder = recorder;
        this.task = task;
        this.spec = task.spec();
        this.run = run;
        this.expected = expected;
        this.costOfOne = costOfOne;
        this.pending = listener.pending();
        this.failures = listener.failures();
        this.retrying = new RetryingEvaluator(
                evaluator,
                retries,
                new AttemptRecorder(account::ledger, account::spending, pending, failures, expected, () -> closing));
        this.warnings = listener.warnings();
        this.renewalErrors = new RepeatedWarnings(warnings);
    }

    /** What the most recent answer gave rewards for; empty if there was none. */
    Optional<Grain> lastGrain() {
        return Optional.ofNullable(lastGrain);
    }

    /** Sets where requests get what the environment says and shows; see {@link RewardDesk#recordWith}. */
    void recordWith(Function<Episode, Recording> source) {
        recordings = source;
    }

    /** See {@link RewardDesk#givenUpLast}. */
    List<Episode> givenUpLast(List<Episode> episodes) {
        Set<LedgerKey> givenUp = new HashSet<>();
        account.ledger().read(entry -> {
            if (entry.state() == State.FAILED) {
                givenUp.add(entry.id().key());
            }
        });
        String oracle = contents.identity();
        return episodes.stream()
                .sorted(Comparator.comparing(episode -> givenUp.contains(
                        EvaluationId.of(oracle, task.id(), run, episode).key())))
                .toList();
    }

    private record Evaluation(EvaluationId id, Episode episode) {}

    /** Buys the rewards of episodes with steps; see {@link RewardDesk#request}. */
    List<Answer> buy(List<Episode> episodes) {
        String oracle = contents.identity();
        List<Evaluation> evaluations = episodes.stream()
                .map(episode -> new Evaluation(EvaluationId.of(oracle, task.id(), run, episode), episode))
                .toList();
        contents.require(account.ledger());
        try (LeaseRenewer leases = new LeaseRenewer(account.ledger(), this::renewalFailed, this::claimsLost)) {
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
        Inquiry inquiry = new Inquiry(keys, claims, account.spending(), new Inquiry.Asker() {
            @Override
            public void announce(List<Integer> places) {
                Purchases.this.announce(evaluations, claims, places);
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
        Ledger ledger = account.ledger();
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
                account.spending().release(evaluation.id().key());
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
        Ledger ledger = account.ledger();
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
        Optional<Reply> answer = recorder.recordSpooled(account.ledger(), id);
        answer.ifPresent(
                paid -> account.spending().answered(id.key(), paid.cost().orElse(0)));
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
            double cost = reply.cost().orElse(costOfOne);
            Recorded recorded = recorder.record(account.ledger(), evaluation.id(), reply.withCost(cost));
            if (recorded.own()) {
                account.spending().answered(key, cost);
            } else {
                account.spending().answeredTwice(key, cost);
            }
            pending.answered(episode.index());
            return paid(recorded.answer(), episode);
        } catch (EvaluationException e) {
            if (closing) {
                throw new CancellationException();
            }
            givenUpHere.add(key);
            account.ledger().failed(key, e.getMessage());
            pending.gaveUp(episode.index());
            if (e.isAgainstContract() && !account.spending().hasAnswer()) {
                throw new FirstAnswerException(e, evaluator.rightAnswer(episode.length()));
            }
            return new Answer.Failed(e.getMessage());
        }
    }

    private Answer paid(Reply reply, Episode episode) {
        lastGrain = reply.grain();
        return expected.paid(reply, episode.length());
    }

    /** Cancels pending evaluations, which are in doubt from then on, and closes the evaluator. */
    void close() {
        closing = true;
        threads.shutdownNow();
        retrying.close();
        try {
            threads.awaitTermination(CLOSE_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
