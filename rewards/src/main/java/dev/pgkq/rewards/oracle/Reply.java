package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was answered. Every number is finite: an evaluation that failed has no answer.
 *
 * @param grain whether it tells the reward of every step or of the whole episode
 * @param values the reward of every step, or one number
 * @param cost what the evaluation cost, in the user's own unit, if it was said
 * @param note a word to go with it, if there was one
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Reply(Grain grain, double[] values, OptionalDouble cost, Optional<String> note) {
    public Reply {
        if (grain == Grain.EPISODE && values.length != 1) {
            throw new IllegalArgumentException(values.length + " numbers for one episode");
        }
        if (!Arrays.stream(values).allMatch(Double::isFinite) || !cost.stream().allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("an answer's numbers must be finite");
        }
    }

    /** Tells the reward of every step. */
    public static Reply ofSteps(double... rewards) {
        return new Reply(Grain.STEP, rewards, OptionalDouble.empty(), Optional.empty());
    }

    /** Tells one number for the whole episode. */
    public static Reply ofEpisode(double value) {
        return new Reply(Grain.EPISODE, new double[] {value}, OptionalDouble.empty(), Optional.empty());
    }

    /** The rewards of the episode's steps; one number for the whole is the reward of the last. */
    public Rewards rewards(int length) {
        return grain == Grain.STEP ? new Rewards(values) : Rewards.ofEpisode(values[0], length);
    }

    /** Σ r_t, undiscounted, or the one number. */
    public double total() {
        return Arrays.stream(values).sum();
    }
}
