package dev.pgkq.spark;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of an evaluation, as an executor sends it to the driver: an answer, or the reason why there is none.
 *
 * @param grain of the answer; null if there is none
 * @param values of the answer
 * @param cost of the evaluation; NaN if unknown
 * @param note that came with the answer; empty if there is none
 * @param failure why there is no answer
 * @param call what is known about a call without an answer
 * @param againstContract whether the oracle does not do what is agreed
 * @param kind answered, or the kind of failure
 * @param retryAfter how long to wait before the next attempt; null if unknown
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EvaluationOutcome(
        @Nullable Grain grain,
        double[] values,
        double cost,
        String note,
        String failure,
        EvaluationException.Call call,
        boolean againstContract,
        Kind kind,
        @Nullable Duration retryAfter)
        implements Serializable {

    /** Whether there is an answer, and if not, what to do about it. */
    enum Kind {
        /** There is an answer. */
        ANSWERED,
        /** The evaluation failed; another attempt may succeed. */
        TRANSIENT,
        /** The evaluation failed; further attempts will fail, too. */
        PERMANENT,
        /** Something on that machine has to be fixed first. The run ends, so that no episode loses its reward for it. */
        USER_ERROR,
        /** The executor died. Another attempt is needed, and the oracle is not to blame. */
        LOST
    }

    static EvaluationOutcome of(Reply reply) {
        return new EvaluationOutcome(
                reply.grain(),
                reply.values(),
                reply.cost().orElse(Double.NaN),
                reply.note().orElse(""),
                "",
                EvaluationException.Call.FAILED,
                false,
                Kind.ANSWERED,
                null);
    }

    static EvaluationOutcome failed(Kind kind, String reason) {
        return new EvaluationOutcome(
                null, new double[0], Double.NaN, "", reason, EvaluationException.Call.FAILED, false, kind, null);
    }

    /** The reason with the name of this machine. */
    static String onThisHost(String reason) {
        return "on " + Shard.host() + ": " + reason;
    }

    static EvaluationOutcome failed(EvaluationException e) {
        return new EvaluationOutcome(
                null,
                new double[0],
                e.cost().orElse(Double.NaN),
                "",
                onThisHost(e.getMessage()),
                e.call(),
                e.isAgainstContract(),
                e.retryable() ? Kind.TRANSIENT : Kind.PERMANENT,
                e.retryAfter().orElse(null));
    }

    /**
     * Returns the answer.
     *
     * @throws EvaluationException if there is none
     * @throws UserException if there is none because something has to be fixed on that machine
     */
    Reply reply() throws EvaluationException {
        if (grain != null) {
            return new Reply(grain, values, price(), note.isEmpty() ? Optional.empty() : Optional.of(note));
        }
        switch (kind) {
            case USER_ERROR -> throw new UserException(failure);
            case LOST -> throw EvaluationException.lost(failure);
            case TRANSIENT ->
                throw detailed(
                        retryAfter == null
                                ? EvaluationException.temporary(failure)
                                : EvaluationException.temporary(failure, retryAfter));
            default -> throw detailed(EvaluationException.permanent(failure));
        }
    }

    private EvaluationException detailed(EvaluationException plain) {
        EvaluationException priced = plain.with(call).withCost(price());
        return againstContract ? priced.againstContract() : priced;
    }

    private OptionalDouble price() {
        return Double.isNaN(cost) ? OptionalDouble.empty() : OptionalDouble.of(cost);
    }
}
