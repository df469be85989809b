package dev.pgkq.rewards.people;

import java.time.Duration;
import java.util.Optional;

/**
 * How people are asked.
 *
 * @param rating what they are asked
 * @param scale the numbers that an episode can be given; of no matter for comparisons
 * @param raters how many different people judge each episode, or each pair
 * @param grace how long an iteration stays open for second thoughts once everything is judged
 * @param lease how long an episode is kept for a rater who is not heard of
 * @param timeout how long an iteration waits for people at most; then it goes on with what was judged
 */
public record PeopleSettings(
        Rating rating, RatingScale scale, int raters, Duration grace, Duration lease, Optional<Duration> timeout) {
    /** What {@code --reward} is called. */
    public static final String REWARD = "human";

    /** Episodes of so many iterations, the present one included, are compared with each other. */
    public static final int COMPARED_ITERATIONS = Asking.ANCHORING + 1;

    /** Long enough to watch an episode twice and think. */
    public static final Duration USUAL_LEASE = Duration.ofMinutes(3);

    public PeopleSettings {
        if (raters < 1) {
            throw new IllegalArgumentException("somebody has to judge an episode, got " + raters + " raters");
        }
        if (grace.isNegative()) {
            throw new IllegalArgumentException("a grace time must not be negative, got " + grace);
        }
        if (!lease.isPositive() || !timeout.stream().allMatch(Duration::isPositive)) {
            throw new IllegalArgumentException("a time must be positive, got " + lease + " and " + timeout);
        }
    }

    /** One rater for an episode, ten seconds for second thoughts, any time. */
    public static PeopleSettings defaults(Rating rating, RatingScale scale) {
        return new PeopleSettings(rating, scale, 1, Duration.ofSeconds(10), USUAL_LEASE, Optional.empty());
    }

    public PeopleSettings withRaters(int count) {
        return new PeopleSettings(rating, scale, count, grace, lease, timeout);
    }

    public PeopleSettings withGrace(Duration time) {
        return new PeopleSettings(rating, scale, raters, time, lease, timeout);
    }

    public PeopleSettings withLease(Duration time) {
        return new PeopleSettings(rating, scale, raters, grace, time, timeout);
    }

    public PeopleSettings withTimeout(Duration time) {
        return new PeopleSettings(rating, scale, raters, grace, lease, Optional.of(time));
    }
}
