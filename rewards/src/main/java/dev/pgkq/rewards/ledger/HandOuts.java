package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.request.Reply;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The operations of a ledger for a caller that hands evaluations out and hears of them later, or never: many at a time, each call
 * one transaction, and no attempt is ended by anything but an answer or by giving up.
 *
 * <pre>
 *                  handOut                    answer
 *   (nothing) ───────────────► RUNNING ───────────────► DONE
 *                              │  ▲  ▲                   ▲
 *                     handOut  └──┘  │ handOut           │ answer
 *                     (in doubt)   FAILED ───────────────┘
 *                         giveUp ────▲
 * </pre>
 *
 * <p>The number of calls, which a budget limits, changes with {@link #handOut} (one more for each) and with {@link #giveUp} of free
 * ones (one less), and with nothing else. In particular an answer never changes it, however late it arrives: it belongs to the call
 * under way, or to one that counts without an answer, and if there is neither, it was obtained elsewhere and is recorded for
 * another run.
 */
public interface HandOuts {
    /**
     * What the ledger knows about an evaluation.
     *
     * @param state its state
     * @param calls number of calls that count, answered or not
     * @param inDoubt number of calls whose outcome is not known, without the one under way
     * @param answer its answer, if it has one
     */
    record Standing(State state, int calls, int inDoubt, Optional<Reply> answer) {}

    /** An answer and the evaluation that it belongs to. */
    record Answered(EvaluationId id, Reply reply) {}

    /** What became of several answers that were recorded together. */
    sealed interface Outcome {
        /**
         * All of them are recorded.
         *
         * @param added number of answers that were not recorded before
         * @param prices what those of them cost that belong to calls; the others were obtained elsewhere
         */
        record Recorded(int added, List<Double> prices) implements Outcome {}

        /**
         * None of them is recorded, because one evaluation has another answer, which counts.
         *
         * @param key the evaluation
         * @param counts its answer
         */
        record Conflict(LedgerKey key, Reply counts) implements Outcome {}
    }

    /** Looks evaluations up; those that were never requested are left out. Changes nothing. */
    Map<LedgerKey, Standing> standing(Collection<LedgerKey> keys);

    /**
     * Claims evaluations and records that they are about to be evaluated, which counts as a call of each. A call of the same
     * evaluation that is still under way is in doubt from then on, and counts as well.
     *
     * @return what became of each, in their order: {@link Claim.Mine} with the number of calls before and of those in doubt, or
     *     {@link Claim.Done} without a call
     * @throws dev.pgkq.text.UserException if another living process holds the claim of one of them; none is handed out then
     */
    List<Claim> handOut(List<EvaluationId> ids);

    /**
     * Records answers in one transaction, whatever the state of the evaluations. Each element is recorded completely or not at
     * all; see {@link Outcome}.
     *
     * @param answers evaluations that were never requested are recorded, too
     * @param elsewhere name of the run to which answers belong that no call has given
     */
    List<Outcome> answer(List<List<Answered>> answers, String elsewhere);

    /**
     * Ends claims of evaluations that will not be answered. No effect on those that have been.
     *
     * @param free whether the calls under way do not count
     * @return the number of calls that do not count any more
     */
    int giveUp(Collection<LedgerKey> keys, String reason, boolean free);
}
