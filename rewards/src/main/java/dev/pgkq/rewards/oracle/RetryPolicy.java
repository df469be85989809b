package dev.pgkq.rewards.oracle;

import java.time.Duration;
import java.util.Optional;

/**
 * How often, how fast and how long to ask.
 *
 * @param attempts how often one episode is asked for, at most
 * @param timeout how long one attempt may take; programs and services have a limit of their own besides
 * @param firstPause what the pause after the first failure is at most; it doubles with every further one
 * @param longestPause what a pause is at most
 * @param longestWait if a service asks to come back later than this, it is not waited for
 * @param perMinute how many evaluations may begin within a minute; infinity for any number
 * @param atOnce how many evaluations may be under way at once
 */
public record RetryPolicy(
        int attempts,
        Optional<Duration> timeout,
        Duration firstPause,
        Duration longestPause,
        Duration longestWait,
        double perMinute,
        int atOnce) {

    public RetryPolicy {
        require(attempts >= 1, "attempts must be positive, got " + attempts);
        require(timeout.stream().allMatch(Duration::isPositive), "timeout must be positive, got " + timeout);
        require(!firstPause.isNegative(), "firstPause must not be negative, got " + firstPause);
        require(!longestPause.isNegative(), "longestPause must not be negative, got " + longestPause);
        require(!longestWait.isNegative(), "longestWait must not be negative, got " + longestWait);
        require(perMinute > 0, "perMinute must be positive, got " + perMinute);
        require(atOnce >= 1, "atOnce must be positive, got " + atOnce);
    }

    /** Five attempts, pauses of up to 1 s, 2 s, 4 s and 8 s between them, eight at once. */
    public static RetryPolicy defaults() {
        return new RetryPolicy(
                5,
                Optional.empty(),
                Duration.ofSeconds(1),
                Duration.ofMinutes(1),
                Duration.ofHours(1),
                Double.POSITIVE_INFINITY,
                8);
    }

    /** One attempt, and any number at once: for those to whom somebody else comes with patience. */
    public RetryPolicy once(Duration limit) {
        return new RetryPolicy(
                1, Optional.of(limit), firstPause, longestPause, longestWait, perMinute, Integer.MAX_VALUE);
    }

    /**
     * The pause after some failures in a row: uniform between 0 and twice as much each time, so that many who failed together
     * do not come back together.
     *
     * @param random uniform on [0, 1)
     */
    Duration pause(int failures, double random) {
        double most = Math.min(seconds(longestPause), seconds(firstPause) * Math.pow(2, failures - 1));
        return Duration.ofNanos((long) (random * most * 1e9));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
