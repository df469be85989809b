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
 * @param round the number of the round that this question is, for a caller who counts: if there is one, it is that round again, also
 *     if it misses nothing any more, and otherwise it must be the next; empty if the adviser is to count
 * @param request a name that no other question has, for a caller who may not hear the answer and asks again: the same name gives the
 *     same answer, and nothing is handed out once more
 */
public record Question(
        Items items,
        List<String> ids,
        Optional<Pace> pace,
        Optional<String> judge,
        Map<String, Score> owned,
        Optional<Integer> round,
        Optional<String> request) {
    /** Copies the collections. */
    public Question {
        ids = List.copyOf(ids);
        owned = Map.copyOf(owned);
    }

    /** As many as the adviser decides, by its judge. */
    public static Question of(Items items) {
        return new Question(
                items, List.of(), Optional.empty(), Optional.empty(), Map.of(), Optional.empty(), Optional.empty());
    }

    /** The same with identifiers. */
    public Question withIds(List<String> names) {
        return new Question(items, names, pace, judge, owned, round, request);
    }

    /** The same for so many. */
    public Question withPace(Pace other) {
        return new Question(items, ids, Optional.of(other), judge, owned, round, request);
    }

    /** The same for another judge. */
    public Question withJudge(String other) {
        return new Question(items, ids, pace, Optional.of(other), owned, round, request);
    }

    /** The same with scores that are known. */
    public Question withOwned(Map<String, Score> scores) {
        return new Question(items, ids, pace, judge, scores, round, request);
    }

    /** The same for the round of this number. */
    public Question withRound(int number) {
        return new Question(items, ids, pace, judge, owned, Optional.of(number), request);
    }

    /** The same with a name of its own. */
    public Question withRequest(String name) {
        return new Question(items, ids, pace, judge, owned, round, Optional.of(name));
    }
}
