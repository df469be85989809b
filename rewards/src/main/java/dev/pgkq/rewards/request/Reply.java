package dev.pgkq.rewards.request;

import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The answer to a {@link Request}: the reward of every step, or one number for the whole episode. Every number is finite. A
 * failed evaluation has no reply.
 *
 * <p>Evaluators return replies and the ledger stores them. The ledger does not store the note.
 *
 * @param grain whether there is a reward for every step or one number for the episode
 * @param values the reward of every step, or the one number
 * @param cost what the evaluation cost, in a unit of the user's choice; empty if the evaluator did not state it
 * @param note a comment by the evaluator, if there is one
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode below compare the contents
public record Reply(Grain grain, double[] values, OptionalDouble cost, Optional<String> note) {
    /** The highest cost that an answer may state: a higher one is a mistake, and would use up any budget. */
    public static final double HIGHEST_COST = 1e9;

    /** @throws IllegalArgumentException if a number is not finite, the cost is negative, or an episode has several numbers */
    public Reply {
        if (grain == Grain.EPISODE && values.length != 1) {
            throw new IllegalArgumentException("expected one number for the episode, got " + values.length);
        }
        for (double value : values) {
            if (!Double.isFinite(value)) {
                throw new IllegalArgumentException("rewards must be finite, got " + value);
            }
        }
        if (!cost.stream().allMatch(price -> price >= 0 && price < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a cost must be finite and not negative, got " + cost);
        }
    }

    /** A reward for every step, without a cost. */
    public static Reply ofSteps(double... rewards) {
        return new Reply(Grain.STEP, rewards, OptionalDouble.empty(), Optional.empty());
    }

    /** A reward for every step. */
    public static Reply ofSteps(double[] rewards, double cost) {
        return ofSteps(rewards).withCost(cost);
    }

    /** One number for the whole episode, without a cost. */
    public static Reply ofEpisode(double value) {
        return new Reply(Grain.EPISODE, new double[] {value}, OptionalDouble.empty(), Optional.empty());
    }

    /** One number for the whole episode. */
    public static Reply ofEpisode(double value, double cost) {
        return ofEpisode(value).withCost(cost);
    }

    /** The same reply with this cost. */
    public Reply withCost(double price) {
        return new Reply(grain, values, OptionalDouble.of(price), note);
    }

    /**
     * The rewards of an episode of this length. One number for the whole episode becomes the reward of the last step.
     *
     * @throws IllegalArgumentException if the number of rewards is not the number of steps
     */
    public Rewards rewards(int steps) {
        if (grain == Grain.STEP && values.length != steps) {
            throw new IllegalArgumentException(values.length + " rewards for " + steps + " steps");
        }
        return grain == Grain.STEP ? new Rewards(values) : Rewards.ofEpisode(values[0], steps);
    }

    /** Σ r_t, undiscounted, or the one number. */
    public double total() {
        return Arrays.stream(values).sum();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Reply reply
                && grain == reply.grain
                && Arrays.equals(values, reply.values)
                && cost.equals(reply.cost)
                && note.equals(reply.note);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * (31 * grain.hashCode() + Arrays.hashCode(values)) + cost.hashCode()) + note.hashCode();
    }

    @Override
    public String toString() {
        return "Reply[" + grain + ", " + Arrays.toString(values) + ", cost " + cost + ", note " + note + "]";
    }
}
