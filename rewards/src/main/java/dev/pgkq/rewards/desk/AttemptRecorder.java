package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.FailedCall;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.oracle.AttemptListener;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Records every attempt in the ledger before it is made, and its failure. Makes no attempts that nobody can use, that the budget does
 * not allow, or that repeat a first answer that was not what is agreed.
 */
final class AttemptRecorder implements AttemptListener {
    private final Supplier<Ledger> ledger;
    private final Supplier<Spending> spending;
    private final PendingRewards pending;
    private final FailureReports failures;
    private final ExpectedGrain expected;
    private final BooleanSupplier closing;
    private volatile Optional<GrainMismatch> mismatch = Optional.empty();

    /**
     * @param closing whether the desk is closing: no attempts are made then, and those under way are in doubt
     */
    AttemptRecorder(
            Supplier<Ledger> ledger,
            Supplier<Spending> spending,
            PendingRewards pending,
            FailureReports failures,
            ExpectedGrain expected,
            BooleanSupplier closing) {
        this.ledger = ledger;
        this.spending = spending;
        this.pending = pending;
        this.failures = failures;
        this.expected = expected;
        this.closing = closing;
    }

    /** Thrown if another process took over the claim because it considered this one dead. */
    static final class ClaimLost extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public void onAttempt(Request request) {
        if (closing.getAsBoolean()) {
            throw new CancellationException();
        }
        mismatch.ifPresent(known -> {
            throw known;
        });
        LedgerKey key = new LedgerKey(request.idempotencyKey());
        if (!ledger.get().attempted(key, spending.get().costOfFailure())) {
            throw new ClaimLost();
        }
        pending.asked(request.episode().index(), request.attempt());
    }

    /** One answer that training cannot use shows that it can use none: no further attempts are made. */
    @Override
    public void onAnswer(Request request, Reply answer) {
        Optional<GrainMismatch> found = expected.mismatch(answer);
        if (found.isPresent()) {
            mismatch = found;
        }
    }

    @Override
    public Optional<Duration> onFailure(Request request, EvaluationException failure, Optional<Duration> nextIn) {
        if (closing.getAsBoolean()) {
            return nextIn; // it was cancelled, and is in doubt
        }
        LedgerKey key = new LedgerKey(request.idempotencyKey());
        OptionalDouble price = spending.get().costOf(failure);
        boolean endsTheRun = failure.isAgainstContract() && !spending.get().hasAnswer();
        boolean isUseful = nextIn.isPresent() && !endsTheRun;
        boolean isAllowed = spending.get().failed(key, price, isUseful);
        boolean isInDoubt = failure.call() == EvaluationException.Call.IN_DOUBT;
        ledger.get().attemptFailed(key, new FailedCall(failure.getMessage(), price, isInDoubt));
        Optional<Duration> next = isAllowed ? nextIn : Optional.empty();
        next.ifPresent(pause -> pending.failed(request.episode().index(), pause));
        if (endsTheRun) {
            return next; // the error that ends the run says why
        }
        failures.add(new FailureReports.FailedAttempt(
                request.iteration(),
                request.episode().index(),
                request.idempotencyKey(),
                request.attempt(),
                failure.getMessage() + (isUseful && !isAllowed ? "; the budget allows no further attempt" : ""),
                next,
                1));
        return next;
    }
}
