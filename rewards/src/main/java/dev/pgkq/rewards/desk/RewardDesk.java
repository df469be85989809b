package dev.pgkq.rewards.desk;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.rewards.ledger.Claim;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerAnswer;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.oracle.AttemptListener;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.Reply;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.oracle.RetryingEvaluator;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Buys rewards outside and keeps book. An order goes through these hands:
 *
 * <ol>
 *   <li>The ledger is asked first: what was paid for once, by any run, is not paid for again.
 *   <li>The budget is looked at before anything is asked for: an iteration is paid for as a whole or not begun.
 *   <li>Every attempt is written down before it is made, every answer before it is used.
 *   <li>What somebody else has in hand is waited for.
 * </ol>
 *
 * <p>What failed for good in an earlier process is asked for once more in this one: who starts a run again hopes that
 * something has changed.
 */
public final class RewardDesk implements RewardSource {
    private static final Duration POLL = Duration.ofMillis(500);
    private static final Duration CLOSING = Duration.ofSeconds(30);

    private final Evaluator evaluator;
    private final RetryingEvaluator patient;
    private final Safekeeping safekeeping;
    private final Task task;
    private final EnvironmentSpec spec;
    private final String run;
    private final Grain grain;
    private final Budget budget;
    private final PendingRewards orders;
    private final Troubles troubles;
    private final RepeatedWarnings renewalErrors;
    private final Set<LedgerKey> failedHere = ConcurrentHashMap.newKeySet();
    private volatile Optional<UserException> mistake = Optional.empty();
    private @Nullable Books books;
    private volatile boolean closing;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /**
     * @param evaluator is asked; closed with the desk
     * @param safekeeping opens what keeps the answers, when the first is wanted; closed with the desk
     * @param run name of the run
     * @param grain what training expects to be told
     * @param listener is told of what is out and of what fails
     */
    RewardDesk(
            Evaluator evaluator,
            RetryPolicy patience,
            Safekeeping safekeeping,
            Task task,
            String run,
            Grain grain,
            Budget budget,
            RewardListener listener) {
        this.evaluator = evaluator;
        this.patient = new RetryingEvaluator(evaluator, patience, new Bookkeeper());
        this.safekeeping = safekeeping;
        this.task = task;
        this.spec = task.spec();
        this.run = run;
        this.grain = grain;
        this.budget = budget;
        this.orders = listener.orders();
        this.troubles = listener.troubles();
        this.renewalErrors = new RepeatedWarnings(listener.tell());
        orders.describedBy(evaluator::waitingFor);
    }

    /**
     * Checks what can be checked. The ledger is opened when the first reward is requested.
     *
     * @param evaluator is asked for rewards; closed with the desk
     * @param retries how often, how fast and how long it is asked
     * @param ledger a file, or {@code jdbc:postgresql://…}
     * @param budget what the run may pay for
     * @param task whose episodes are evaluated
     * @param run name of the run in the ledger ({@link dev.pgkq.rewards.ledger.RunName})
     * @param spool folder for answers that the ledger cannot take
     * @param grain what training expects of an answer
     * @param listener is informed about pending rewards and failures
     * @throws UserException if the evaluator cannot answer what training expects
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
        if (grain == Grain.STEP && evaluator.grain().equals(Optional.of(Grain.EPISODE))) {
            evaluator.close();
            throw unexpected(evaluator.identity() + " tells", ledger);
        }
        Spool answers = new Spool(spool, Path.of(System.getProperty("java.io.tmpdir")), RunName.unique(run));
        return new RewardDesk(
                evaluator,
                retries,
                new Safekeeping(() -> Ledger.open(ledger), answers, listener, budget.costOfOne()),
                task,
                run,
                grain,
                budget,
                listener);
    }

    /** What is there once the first reward is wanted. */
    private record Books(Ledger ledger, Spending spending) {}

    private synchronized Books books() {
        if (books == null) {
            Ledger ledger = safekeeping.open();
            try {
                books = new Books(ledger, new Spending(budget, ledger, run));
            } catch (RuntimeException e) {
                ledger.close();
                throw e;
            }
        }
        return books;
    }

    /** What may be a mistake in how rewards are asked for. */
    public List<String> warnings() {
        return evaluator.warnings();
    }

    private record Order(EvaluationId wanted, Episode episode) {}

    /** The claim was lost to somebody who thought that this process was gone. */
    private static final class ClaimLost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    /** Writes every attempt down before it is made. */
    private final class Bookkeeper implements AttemptListener {
        @Override
        public void onAttempt(Request request) {
            if (closing) {
                throw new CancellationException();
            }
            mistake.ifPresent(known -> {
                throw known;
            });
            if (!books().ledger.attempted(new LedgerKey(request.idempotencyKey()))) {
                throw new ClaimLost();
            }
            orders.asked(request.episode().index(), request.attempt());
        }

        /** One that training cannot use shows that it can use none: nobody is asked after it. */
        @Override
        public void onAnswer(Request request, Reply answer) {
            if (grain == Grain.STEP && answer.grain() == Grain.EPISODE) {
                mistake = Optional.of(unexpected("an answer is", books().ledger.location()));
            }
        }

        @Override
        public void onFailure(Request request, EvaluationException failure, Optional<Duration> nextIn) {
            if (closing) {
                return; // it was cancelled: what becomes of it is in doubt
            }
            if (nextIn.isPresent()) {
                books().ledger.attemptFailed(new LedgerKey(request.idempotencyKey()), failure.getMessage());
                orders.failed(request.episode().index(), nextIn.get());
            }
            troubles.add(new Troubles.Trouble(
                    request.iteration(),
                    request.episode().index(),
                    request.idempotencyKey(),
                    request.attempt(),
                    failure.getMessage(),
                    nextIn,
                    1));
        }
    }

    /** An episode without a step has no rewards, and nobody is asked for them. */
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
        List<Order> wanted = episodes.stream()
                .map(episode -> new Order(EvaluationId.of(evaluator.identity(), task.id(), run, episode), episode))
                .toList();
        List<Claim> claims = wanted.stream().map(this::claim).toList();
        List<LedgerKey> out = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (!(claims.get(i) instanceof Claim.Done)) {
                out.add(wanted.get(i).wanted().key());
            }
        }
        try {
            books().spending.require(out.size());
        } catch (BudgetReached e) {
            books().ledger.release(out);
            throw e;
        }
        expect(wanted, claims);
        orders.begin(episodes.size(), episodes.size() - out.size());
        try (Leases leases = new Leases(books().ledger, out, this::renewalFailed)) {
            List<Future<Answer>> answers = new ArrayList<>();
            for (int i = 0; i < claims.size(); i++) {
                Order order = wanted.get(i);
                Claim claim = claims.get(i);
                answers.add(threads.submit(() -> fulfil(order, claim, leases)));
            }
            return collected(answers);
        } finally {
            orders.end();
            troubles.pause();
        }
    }

    /** While the desk closes, the ledger may be closed before the last renewal. */
    private void renewalFailed(String error) {
        if (!closing) {
            renewalErrors.accept(error);
        }
    }

    private void expect(List<Order> wanted, List<Claim> claims) {
        List<Request> requests = new ArrayList<>();
        for (int i = 0; i < claims.size(); i++) {
            if (claims.get(i) instanceof Claim.Mine mine) {
                requests.add(request(wanted.get(i), mine));
            }
        }
        if (!requests.isEmpty()) {
            evaluator.expect(requests);
        }
    }

    private Request request(Order order, Claim.Mine mine) {
        Episode episode = order.episode();
        return new Request(
                order.wanted().key().hex(), task.id(), episode.iteration(), mine.attempts() + 1, spec, episode);
    }

    private Claim claim(Order order) {
        LedgerKey key = order.wanted().key();
        Ledger ledger = books().ledger;
        Claim claim = ledger.claim(order.wanted());
        if (claim instanceof Claim.Failed && !failedHere.contains(key)) {
            ledger.askAgain(List.of(key));
            return ledger.claim(order.wanted());
        }
        return claim;
    }

    private static List<Answer> collected(List<Future<Answer>> futures) {
        List<Answer> answers = new ArrayList<>();
        Optional<RuntimeException> failure = Optional.empty();
        for (Future<Answer> future : futures) {
            try {
                answers.add(future.get());
            } catch (InterruptedException e) {
                futures.forEach(other -> other.cancel(true));
                Thread.currentThread().interrupt();
                throw new UserException("interrupted while rewards were out; what was answered is kept", e);
            } catch (ExecutionException e) {
                // what is out is paid for: let it come and be written down before anybody gives up
                RuntimeException cause = e.getCause() instanceof RuntimeException unchecked
                        ? unchecked
                        : new IllegalStateException(e.getCause());
                failure = Optional.of(failure.orElse(cause));
            }
        }
        if (failure.isPresent()) {
            throw failure.get();
        }
        return answers;
    }

    private Answer fulfil(Order order, Claim first, Leases leases) throws InterruptedException {
        Claim claim = first;
        while (true) {
            switch (claim) {
                case Claim.Done done -> {
                    if (claim != first) {
                        orders.answered(order.episode().index());
                    }
                    return accepted(done.answer(), order);
                }
                case Claim.Failed failed -> {
                    orders.gaveUp(order.episode().index());
                    return new Answer.Failed(failed.reason());
                }
                case Claim.Mine mine -> {
                    leases.begin(order.wanted().key());
                    try {
                        return bought(order, mine);
                    } catch (ClaimLost e) {
                        claim = claim(order);
                    } finally {
                        leases.end(order.wanted().key());
                    }
                }
                case Claim.Elsewhere elsewhere -> {
                    orders.elsewhere(order.episode().index(), elsewhere.owner());
                    Thread.sleep(pause(elsewhere.leaseUntil()));
                    claim = claim(order);
                }
            }
        }
    }

    private static Duration pause(Instant until) {
        Duration left = Duration.between(Instant.now(), until);
        return left.isPositive() && left.compareTo(POLL) < 0 ? left : POLL;
    }

    private Answer bought(Order order, Claim.Mine mine) throws InterruptedException {
        LedgerKey key = order.wanted().key();
        Episode episode = order.episode();
        try {
            Reply told = patient.evaluate(request(order, mine));
            double cost = told.cost().orElse(books().spending.each());
            LedgerAnswer kept =
                    safekeeping.keep(books().ledger, key, new LedgerAnswer(told.grain(), told.values(), cost));
            books().spending.paid(cost);
            orders.answered(episode.index());
            return accepted(kept, order);
        } catch (EvaluationException e) {
            if (closing) {
                throw new CancellationException();
            }
            failedHere.add(key);
            books().ledger.failed(key, e.getMessage());
            orders.gaveUp(episode.index());
            return new Answer.Failed(e.getMessage());
        }
    }

    /** Rewards of every step add up to one number where that is what training wants; the other way there is none. */
    private Answer accepted(LedgerAnswer kept, Order order) {
        int length = order.episode().length();
        if (grain == kept.grain()) {
            return new Answer.Paid(kept.rewards(length));
        }
        if (grain == Grain.EPISODE) {
            return new Answer.Paid(Rewards.ofEpisode(kept.total(), length));
        }
        throw unexpected("an answer is", books().ledger.location());
    }

    private static UserException unexpected(String what, String ledger) {
        return new UserException(
                what + " one number for a whole episode, and training was told to expect the reward of every"
                        + " step: start a new run with --reward-per episode, and with --ledger " + ledger
                        + " to keep what was paid for");
    }

    @Override
    public void close() {
        closing = true;
        threads.shutdownNow();
        patient.close();
        try {
            threads.awaitTermination(CLOSING.toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        synchronized (this) {
            if (books != null) {
                books.ledger.close();
            }
        }
    }
}
