package dev.pgkq.rewards.people;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a queue.
 *
 * @param settings settings of the queue
 * @param iteration iteration whose episodes wait for ratings, or the last one; 0 if there was none
 * @param episodes number of episodes that wait
 * @param items number of episodes or pairs that raters are shown for them
 * @param rated number of items that have all their ratings
 * @param closesIn time until the iteration closes if nothing changes; empty while ratings are missing
 * @param raters raters who were active recently
 * @param latest results of the last closed iteration
 */
public record QueueStatus(
        PeopleSettings settings,
        int iteration,
        int episodes,
        int items,
        int rated,
        Optional<Duration> closesIn,
        List<Rater> raters,
        List<Result> latest) {

    /**
     * A rater.
     *
     * @param name the rater's name
     * @param ratings number of open items that this rater has rated
     */
    public record Rater(String name, int ratings) {}

    /** The result of an episode. */
    public record Result(Item.Place place, Judgement judgement) {}

    /** Whether any episode waits for ratings. */
    public boolean open() {
        return episodes > 0;
    }
}
