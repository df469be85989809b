package dev.pgkq.rewards.advise;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.ledger.HandOuts;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What an adviser keeps: rounds and lessons in the store, scores in the ledger, models, and in memory the rounds that are open and
 * what was spent. Used by one thread at a time.
 */
final class Books {
    /** The run in the ledger to which scores belong that no call of this adviser has given. */
    static final String ELSEWHERE = "owned";

    private final AdviserStore store;
    private final HandOuts ledger;
    private final Models models;
    private final Identity identity;
    private final Spending spending;
    private final NavigableMap<Integer, OpenRound> open = new TreeMap<>();
    /** The open round that asks for an evaluation. */
    private final Map<LedgerKey, OpenRound> asked = new HashMap<>();

    private int lastRound;
    /** The number of features of a step; 0 before the first round. */
    private int width;

    /** The number of a round that was stored without anybody hearing of it; 0 if there is none. */
    private int unheard;

    Books(AdviserStore store, HandOuts ledger, Models models, Identity identity, Spending spending) {
        this.store = store;
        this.ledger = ledger;
        this.models = models;
        this.identity = identity;
        this.spending = spending;
        this.lastRound = store.lastRound();
        this.width = store.width();
    }

    AdviserStore store() {
        return store;
    }

    HandOuts ledger() {
        return ledger;
    }

    Models models() {
        return models;
    }

    Identity identity() {
        return identity;
    }

    Grain grain() {
        return identity.grain();
    }

    int lastRound() {
        return lastRound;
    }

    /** The number of features of a step; 0 before the first round. */
    int width() {
        return width;
    }

    Spending spending() {
        return spending;
    }

    List<Integer> openNumbers() {
        return List.copyOf(open.keySet());
    }

    List<OpenRound> open() {
        return List.copyOf(open.values());
    }

    Optional<OpenRound> open(int number) {
        return Optional.ofNullable(open.get(number));
    }

    /** The open round that asks for an evaluation. */
    Optional<OpenRound> asking(LedgerKey key) {
        return Optional.ofNullable(asked.get(key));
    }

    void addOpen(OpenRound round) {
        lastRound = Math.max(lastRound, round.round().number());
        width = round.stored().items().width();
        open.put(round.round().number(), round);
        round.keys().forEach(key -> asked.put(key, round));
    }

    /** The round has another choice. */
    void replace(OpenRound open, Round round) {
        open.keys().forEach(asked::remove);
        open.replace(round);
        open.keys().forEach(key -> asked.put(key, open));
    }

    void removeOpen(OpenRound round) {
        open.remove(round.round().number());
        round.keys().forEach(asked::remove);
    }

    /** A round that is open or closed. */
    Round round(int number) {
        OpenRound known = open.get(number);
        if (known != null) {
            return known.round();
        }
        return (number < 1 || number > lastRound ? Optional.<Round>empty() : store.round(number))
                .orElseThrow(() -> AdviceRefused.unknown("there is no round " + number
                        + (lastRound == 0 ? "; none was asked for yet" : "; the last one is " + lastRound)));
    }

    /** A round with its items, as if it was open. */
    OpenRound described(int number) {
        OpenRound known = open.get(number);
        return known != null ? known : new OpenRound(identity.run(), round(number), store.items(number));
    }

    /** Something failed after a round was stored and before it was handed out. */
    void forget(int round) {
        unheard = round;
        lastRound = Math.min(lastRound, round - 1);
        width = lastRound == 0 ? 0 : width;
        try {
            cleanUp();
        } catch (UserException e) {
            // it is removed before anything else is done
        }
    }

    /** Removes what {@link #forget} could not remove. */
    void cleanUp() {
        if (unheard > 0) {
            store.removeFrom(unheard);
            unheard = 0;
        }
    }
}
