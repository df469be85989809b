package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Items;
import dev.pgkq.select.Pace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an adviser is asked: which of these to score.
 *
 * @param items the items
 * @param ids one for each, by which its score is found again; empty if the features are to identify them
 * @param pace how many to score; empty for what the adviser was started with
 * @param judge who scores them; empty for the judge that the adviser was started with
 * @param owned scores that the caller has already, by id
 */
public record Question(
        Items items, List<String> ids, Optional<Pace> pace, Optional<String> judge, Map<String, Score> owned) {
    /** Copies the collections. */
    public Question {
        ids = List.copyOf(ids);
        owned = Map.copyOf(owned);
    }

    /** As many as the adviser decides, by its judge. */
    public static Question of(Items items) {
        return new Question(items, List.of(), Optional.empty(), Optional.empty(), Map.of());
    }

    /** The same with identifiers. */
    public Question withIds(List<String> names) {
        return new Question(items, names, pace, judge, owned);
    }

    /** The same for so many. */
    public Question withPace(Pace other) {
        return new Question(items, ids, Optional.of(other), judge, owned);
    }

    /** The same for another judge. */
    public Question withJudge(String other) {
        return new Question(items, ids, pace, Optional.of(other), owned);
    }

    /** The same with scores that are known. */
    public Question withOwned(Map<String, Score> scores) {
        return new Question(items, ids, pace, judge, scores);
    }
}
