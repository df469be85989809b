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
 * What came of asking, on its way to the driver: an answer, or why there is none.
 *
 * @param grain of the answer; null if there is none
 * @param values of the answer
 * @param cost NaN if it was not said
 * @param note empty if there is none
 * @param failure why there is none
 * @param kind what may help
 * @param retryAfter null if it was not said
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record EvaluationOutcome(
        @Nullable Grain grain,
        double[] values,
        double cost,
        String note,
        String failure,
        Kind kind,
        @Nullable Duration retryAfter)
        implements Serializable {

    /** What may help where there is no answer. */
    enum Kind {
        /** Nothing does: there is an answer. */
        ANSWERED,
        /** To ask again. */
        PASSING,
        /** Nothing: there will be none. */
        LASTING,
        /** A person has to mend something on that machine, and no episode should go without for it. */
        MISTAKE,
        /** To ask again: an executor died, and the oracle has done nothing wrong. */
        LOST
    }

    static EvaluationOutcome of(Reply reply) {
        return new EvaluationOutcome(
                reply.grain(),
                reply.values(),
                reply.cost().orElse(Double.NaN),
                reply.note().orElse(""),
                "",
                Kind.ANSWERED,
                null);
    }

    static EvaluationOutcome failed(Kind kind, String reason) {
        return new EvaluationOutcome(null, new double[0], Double.NaN, "", reason, kind, null);
    }

    /** Names this machine. */
    static String here(String reason) {
        return "on " + Shard.host() + ": " + reason;
    }

    static EvaluationOutcome failed(EvaluationException e) {
        return new EvaluationOutcome(
                null,
                new double[0],
                Double.NaN,
                "",
                here(e.getMessage()),
                e.retryable() ? Kind.PASSING : Kind.LASTING,
                e.retryAfter().orElse(null));
    }

    /** The answer. */
    Reply reply() throws EvaluationException {
        if (grain != null) {
            return new Reply(
                    grain,
                    values,
                    Double.isNaN(cost) ? OptionalDouble.empty() : OptionalDouble.of(cost),
                    note.isEmpty() ? Optional.empty() : Optional.of(note));
        }
        switch (kind) {
            case MISTAKE -> throw new UserException(failure);
            case LOST -> throw EvaluationException.lost(failure);
            case PASSING ->
                throw retryAfter == null
                        ? EvaluationException.temporary(failure)
                        : EvaluationException.temporary(failure, retryAfter);
            default -> throw EvaluationException.permanent(failure);
        }
    }
}
