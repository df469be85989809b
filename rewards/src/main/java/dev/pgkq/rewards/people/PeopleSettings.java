package dev.pgkq.rewards.people;

import java.time.Duration;
import java.util.Optional;

/**
 * How people rate episodes. Start from {@link #defaults} and change parts of it.
 *
 * @param rating whether they rate or compare
 * @param scale the rating scale; not used for comparisons
 * @param raters number of different people who rate each episode or pair
 * @param grace how long an iteration stays open after the last rating, so that ratings can be corrected
 * @param lease how long an item is reserved for a rater who does not respond
 * @param timeout maximum time an iteration waits for ratings; it then continues with those it has
 */
public record PeopleSettings(
        Rating rating, RatingScale scale, int raters, Duration grace, Duration lease, Optional<Duration> timeout) {
    /** Name of this kind of reward in settings, and start of the evaluator's identity. */
    public static final String REWARD = "human";

    /** Number of iterations, including the current one, whose episodes are compared with each other. */
    public static final int COMPARED_ITERATIONS = TrainerOperations.ANCHOR_ITERATIONS + 1;

    /** Long enough to watch an episode twice and think. */
    public static final Duration DEFAULT_LEASE = Duration.ofMinutes(3);

    /** @throws IllegalArgumentException if a number is out of range */
    public PeopleSettings {
        if (raters < 1) {
            throw new IllegalArgumentException("the number of raters must be positive, got " + raters);
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("the grace time must not be negative, got " + grace);
        }
        if (!lease.isPositive() || !timeout.stream().allMatch(Duration::isPositive)) {
            throw new IllegalArgumentException("lease and timeout must be positive, got " + lease + " and " + timeout);
        }
    }

    /** One rater per item, a grace time of ten seconds, and no timeout. */
    public static PeopleSettings defaults(Rating rating, RatingScale scale) {
        return new PeopleSettings(rating, scale, 1, Duration.ofSeconds(10), DEFAULT_LEASE, Optional.empty());
    }

    /** The same settings with another number of raters. */
    public PeopleSettings withRaters(int count) {
        return new PeopleSettings(rating, scale, count, grace, lease, timeout);
    }

    /** The same settings with another grace time. */
    public PeopleSettings withGrace(Duration time) {
        return new PeopleSettings(rating, scale, raters, time, lease, timeout);
    }

    /** The same settings with another lease. */
    public PeopleSettings withLease(Duration time) {
        return new PeopleSettings(rating, scale, raters, grace, time, timeout);
    }

    /** The same settings with a timeout. */
    public PeopleSettings withTimeout(Duration time) {
        return new PeopleSettings(rating, scale, raters, grace, lease, Optional.of(time));
    }
}
