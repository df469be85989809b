package dev.pgkq.rewards.people;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the queue stands.
 *
 * @param settings how people are asked
 * @param iteration the iteration whose episodes wait, or the last that did; 0 if there was none
 * @param episodes how many episodes wait
 * @param items how many episodes, or pairs, are shown to raters for them
 * @param rated how many of those have all their ratings
 * @param closesIn when the iteration will be closed if nothing changes; empty while ratings are missing
 * @param raters who was here lately
 * @param latest what the last iteration that was closed came to
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
     * Somebody who rates.
     *
     * @param name what he calls himself
     * @param ratings how many of the open items he has judged
     */
    public record Rater(String name, int ratings) {}

    /** What an episode came to. */
    public record Result(Item.Place place, Judgement judgement) {}

    /** Whether anything waits for people. */
    public boolean open() {
        return episodes > 0;
    }
}
