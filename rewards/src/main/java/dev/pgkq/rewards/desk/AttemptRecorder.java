package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.oracle.AttemptListener;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Records every attempt in the ledger before it is made, and its failure. Makes no attempts that nobody can use. */
final class AttemptRecorder implements AttemptListener {
    private final Supplier<Ledger> ledger;
    private final PendingRewards pending;
    private final FailureReports failures;
    private final WantedGrain wanted;
    private final BooleanSupplier closing;
    private volatile Optional<GrainMismatch> mismatch = Optional.empty();

    /**
     * @param closing whether the desk is closing: no attempts are made then, and those under way are in doubt
     */
    AttemptRecorder(
            Supplier<Ledger> ledger,
            PendingRewards pending,
            FailureReports failures,
            WantedGrain wanted,
            BooleanSupplier closing) {
        this.ledger = ledger;
        this.pending = pending;
        this.failures = failures;
        this.wanted = wanted;
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
        if (!ledger.get().attempted(new LedgerKey(request.idempotencyKey()))) {
            throw new ClaimLost();
        }
        pending.asked(request.episode().index(), request.attempt());
    }

    /** One answer that training cannot use shows that it can use none: no further attempts are made. */
    @Override
    public void onAnswer(Request request, Reply answer) {
        Optional<GrainMismatch> found = wanted.mismatch(answer);
        if (found.isPresent()) {
            mismatch = found;
        }
    }

    @Override
    public void onFailure(Request request, EvaluationException failure, Optional<Duration> nextIn) {
        if (closing.getAsBoolean()) {
            return; // it was cancelled, and is in doubt
        }
        if (nextIn.isPresent()) {
            ledger.get().attemptFailed(new LedgerKey(request.idempotencyKey()), failure.getMessage());
            pending.failed(request.episode().index(), nextIn.get());
        }
        failures.add(new FailureReports.FailedAttempt(
                request.iteration(),
                request.episode().index(),
                request.idempotencyKey(),
                request.attempt(),
                failure.getMessage(),
                nextIn,
                1));
    }
}
