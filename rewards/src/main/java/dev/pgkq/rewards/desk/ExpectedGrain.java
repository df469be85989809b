package dev.pgkq.rewards.desk;

import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.request.Reply;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Turns replies into answers of the grain that training expects. Rewards of steps add up to one number per episode. The reverse is
 * impossible.
 *
 * @param grain what training expects
 * @param evaluator named in errors
 * @param ledger location of the ledger, for errors
 */
record ExpectedGrain(Grain grain, Evaluator evaluator, Supplier<String> ledger) {
    /**
     * Checks what is known before anything is paid for.
     *
     * @throws GrainMismatch if the evaluator cannot give what training expects; the evaluator is closed then
     */
    static void require(Evaluator evaluator, Grain grain, String ledger) {
        if (grain == Grain.STEP && evaluator.grain().equals(Optional.of(Grain.EPISODE))) {
            String identity = evaluator.identity();
            evaluator.close();
            throw new GrainMismatch(identity, ledger);
        }
    }

    /** The error if training cannot use this reply. */
    Optional<GrainMismatch> mismatch(Reply reply) {
        return grain == Grain.STEP && reply.grain() == Grain.EPISODE
                ? Optional.of(new GrainMismatch("the answer of " + evaluator.identity(), ledger.get()))
                : Optional.empty();
    }

    /**
     * The answer for an episode of this length.
     *
     * @throws GrainMismatch if training cannot use the reply
     */
    Answer paid(Reply reply, int length) {
        mismatch(reply).ifPresent(mismatch -> {
            throw mismatch;
        });
        return new Answer.Paid(
                grain == reply.grain() ? reply.rewards(length) : Rewards.ofEpisode(reply.total(), length));
    }
}
