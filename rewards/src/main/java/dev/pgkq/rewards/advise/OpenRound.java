package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Told;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.HandOuts.Standing;
import dev.pgkq.rewards.ledger.LedgerKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A round whose scores are missing, with the scores that are known. */
final class OpenRound {
    private final Draft draft;
    private final Map<Integer, double[]> scores = new HashMap<>();
    private Round round;
    private Map<LedgerKey, Integer> keys;
    private Optional<Provisional> provisional = Optional.empty();

    /** What is believed while scores are missing, by a model that had learned this lesson last. */
    private record Provisional(long lesson, Estimates estimates) {}

    /** @param run name of the adviser in the ledger */
    OpenRound(String run, Round round, StoredItems stored) {
        this.draft = Draft.of(run, round, stored);
        this.round = round;
        this.keys = keysOf(round);
    }

    Round round() {
        return round;
    }

    StoredItems stored() {
        return draft.stored();
    }

    /** Another choice of the same round. */
    void replace(Round other) {
        round = other;
        keys = keysOf(other);
        provisional = Optional.empty();
    }

    String id(int place) {
        return draft.id(place);
    }

    LedgerKey key(int place) {
        return draft.key(place);
    }

    /** The evaluation of an item. */
    EvaluationId evaluation(int place) {
        return draft.evaluation(place);
    }

    /** The keys of the items to score. */
    Set<LedgerKey> keys() {
        return keys.keySet();
    }

    private Map<LedgerKey, Integer> keysOf(Round round) {
        Map<LedgerKey, Integer> all = new LinkedHashMap<>();
        for (int place : round.chosen()) {
            all.put(key(place), place);
        }
        return Collections.unmodifiableMap(all);
    }

    /** Adds the score of an item that is to be scored; the first one counts. */
    void add(LedgerKey key, double[] values) {
        Integer place = keys.get(key);
        if (place != null && scores.putIfAbsent(place, values) == null) {
            provisional = Optional.empty();
        }
    }

    /**
     * What is believed with the scores that are known. It takes time, so it is kept until a score, the choice or the model changes.
     *
     * @param lesson the last one that the model has learned
     * @param computed computes it
     */
    Estimates estimates(long lesson, Supplier<Estimates> computed) {
        if (provisional.isEmpty() || provisional.get().lesson() != lesson) {
            provisional = Optional.of(new Provisional(lesson, computed.get()));
        }
        return provisional.get().estimates();
    }

    /** Adds the scores that the ledger has. */
    void addAll(Map<LedgerKey, Standing> standing) {
        standing.forEach((key, each) -> each.answer().ifPresent(reply -> add(key, reply.values())));
    }

    boolean isScored(int place) {
        return scores.containsKey(place);
    }

    /** Whether no score is missing. */
    boolean isComplete() {
        for (int place : round.chosen()) {
            if (!scores.containsKey(place)) {
                return false;
            }
        }
        return true;
    }

    /** Places of the items to score that have none. */
    List<Integer> missing() {
        return Arrays.stream(round.chosen())
                .filter(place -> !scores.containsKey(place))
                .boxed()
                .toList();
    }

    List<String> ids(Iterable<Integer> places) {
        List<String> ids = new ArrayList<>();
        places.forEach(place -> ids.add(id(place)));
        return ids;
    }

    List<String> ids(int[] places) {
        return Arrays.stream(places).mapToObj(this::id).toList();
    }

    /** The scores that are known, in the order of the choice. */
    List<Told> told() {
        List<Told> told = new ArrayList<>();
        for (int place : round.chosen()) {
            double[] values = scores.get(place);
            if (values != null) {
                told.add(new Told(place, values));
            }
        }
        return told;
    }
}
