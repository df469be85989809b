package dev.pgkq.rewards.oracle;

import java.time.Duration;
import java.util.Optional;

/**
 * How often, how fast and for how long an evaluator is asked. Start from {@link #defaults} and change parts of it.
 *
 * @param attempts maximum number of attempts per episode
 * @param timeout maximum time of one attempt; programs and services have an additional limit
 *     ({@link EvaluatorSettings.Limits#timeout})
 * @param firstPause maximum pause after the first failure; it doubles with every further failure
 * @param longestPause maximum of all pauses
 * @param longestWait maximum delay that a service may request; if it requests a longer one, the evaluation is given up
 * @param perMinute maximum number of attempts that start within a minute; infinity for no limit
 * @param atOnce maximum number of concurrent attempts
 */
public record RetryPolicy(
        int attempts,
        Optional<Duration> timeout,
        Duration firstPause,
        Duration longestPause,
        Duration longestWait,
        double perMinute,
        int atOnce) {

    /** @throws IllegalArgumentException if a number is out of range */
    public RetryPolicy {
        require(attempts >= 1, "attempts must be positive, got " + attempts);
        require(timeout.stream().allMatch(Duration::isPositive), "timeout must be positive, got " + timeout);
        require(!firstPause.isNegative(), "firstPause must not be negative, got " + firstPause);
        require(!longestPause.isNegative(), "longestPause must not be negative, got " + longestPause);
        require(!longestWait.isNegative(), "longestWait must not be negative, got " + longestWait);
        require(perMinute > 0, "perMinute must be positive, got " + perMinute);
        require(atOnce >= 1, "atOnce must be positive, got " + atOnce);
    }

    /** Five attempts with pauses of up to 1 s, 2 s, 4 s and 8 s between them, eight at once, no timeout and any rate. */
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

    /** The same policy with another maximum number of attempts. */
    public RetryPolicy withAttempts(int most) {
        return new RetryPolicy(most, timeout, firstPause, longestPause, longestWait, perMinute, atOnce);
    }

    /** The same policy with another maximum time of one attempt. */
    public RetryPolicy withTimeout(Duration limit) {
        return new RetryPolicy(attempts, Optional.of(limit), firstPause, longestPause, longestWait, perMinute, atOnce);
    }

    /** The same policy with another rate. */
    public RetryPolicy withPerMinute(double rate) {
        return new RetryPolicy(attempts, timeout, firstPause, longestPause, longestWait, rate, atOnce);
    }

    /** The same policy with another number of concurrent attempts. */
    public RetryPolicy withAtOnce(int most) {
        return new RetryPolicy(attempts, timeout, firstPause, longestPause, longestWait, perMinute, most);
    }

    /** One attempt, and any number at once: for evaluators whose caller retries and limits. */
    public RetryPolicy once(Duration limit) {
        return new RetryPolicy(
                1, Optional.of(limit), firstPause, longestPause, longestWait, perMinute, Integer.MAX_VALUE);
    }

    /**
     * The pause after a number of consecutive failures: uniform between 0 and a maximum that doubles each time, so that requests
     * which failed together are not repeated together.
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
