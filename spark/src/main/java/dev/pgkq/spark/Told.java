package dev.pgkq.spark;

import dev.pgkq.app.oracle.EvaluationException;
import dev.pgkq.app.oracle.Reply;
import dev.pgkq.reward.Grain;
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
 * @param retryable whether trying again may help
 * @param retryAfter null if it was not said
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Told(
        @Nullable Grain grain,
        double[] values,
        double cost,
        String note,
        String failure,
        boolean retryable,
        @Nullable Duration retryAfter)
        implements Serializable {

    static Told of(Reply reply) {
        return new Told(
                reply.grain(),
                reply.values(),
                reply.cost().orElse(Double.NaN),
                reply.note().orElse(""),
                "",
                false,
                null);
    }

    static Told failed(String reason, boolean retryable) {
        return new Told(null, new double[0], Double.NaN, "", on(reason), retryable, null);
    }

    static Told failed(EvaluationException e) {
        return new Told(
                null,
                new double[0],
                Double.NaN,
                "",
                on(e.getMessage()),
                e.retryable(),
                e.retryAfter().orElse(null));
    }

    private static String on(String reason) {
        return "on " + Shard.host() + ": " + reason;
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
        if (!retryable) {
            throw EvaluationException.lasting(failure);
        }
        throw retryAfter == null
                ? EvaluationException.passing(failure)
                : EvaluationException.passing(failure, retryAfter);
    }
}
