package dev.pgkq.rewards.advise;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The score of an item.
 *
 * @param values one number, or one for each step
 * @param cost what it cost, if that was said
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Score(double[] values, OptionalDouble cost) {
    /** One number, whose cost was not said. */
    public static Score of(double value) {
        return new Score(new double[] {value}, OptionalDouble.empty());
    }

    /** The same with this cost, if none was said. */
    Score withCostUnlessKnown(double price) {
        return cost.isPresent() ? this : new Score(values, OptionalDouble.of(price));
    }

    /**
     * The score as the ledger records it.
     *
     * @param id of the item, for messages
     * @param steps number of its steps
     * @throws AdviceRefused if numbers are missing, too many or not finite
     */
    Reply reply(String id, Grain grain, int steps) {
        int needed = grain == Grain.STEP ? steps : 1;
        if (values.length != needed) {
            throw AdviceRefused.invalid("the score of '" + id + "' must be "
                    + (grain == Grain.STEP
                            ? "a list of " + needed + (needed == 1 ? " number" : " numbers, one for each step")
                            : "one number")
                    + ", got " + values.length);
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw AdviceRefused.invalid("the score of '" + id + "' must be finite, got " + value
                        + "; abandon an item that cannot be scored");
            }
        }
        if (cost.isPresent() && !(cost.getAsDouble() >= 0 && cost.getAsDouble() <= Reply.HIGHEST_COST)) {
            throw AdviceRefused.invalid(
                    "the cost of '" + id + "' must be a number from 0 to 1e9, got " + cost.getAsDouble());
        }
        return new Reply(grain, values, cost, Optional.empty());
    }
}
