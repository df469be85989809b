package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Choice;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.LedgerKey;

/**
 * A round before anything is chosen.
 *
 * @param run name of the adviser in the ledger
 * @param number its number
 * @param judge who scores it
 * @param source the round whose items are scored once more, or 0
 * @param hash of the judge, the items and the ids that were given
 * @param stored the items
 */
record Draft(String run, int number, String judge, int source, String hash, StoredItems stored) {
    /** What ledgers call the task of items. */
    private static final String TASK = "items";

    /** The draft that a round was made from. */
    static Draft of(String run, Round round, StoredItems stored) {
        return new Draft(run, round.number(), round.judge(), round.source(), round.hash(), stored);
    }

    int size() {
        return stored.items().size();
    }

    String id(int place) {
        return stored.ids().get(place);
    }

    LedgerKey key(int place) {
        return LedgerKey.ofItem(judge, id(place));
    }

    /** The evaluation of an item. */
    EvaluationId evaluation(int place) {
        return new EvaluationId(
                key(place), judge, TASK, run, number, place, stored.items().length(place));
    }

    Round round(Choice choice, int[] owned) {
        return new Round(
                number,
                judge,
                source,
                true,
                System.currentTimeMillis(),
                hash,
                size(),
                Round.Picked.of(choice),
                new int[0],
                owned);
    }
}
