package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    @Test
    void theTimeLeftFollowsTheLastIterationsNotAll() {
        RemainingTime remaining = new RemainingTime(0);
        assertThat(remaining.until(100)).isEmpty();

        long now = 0;
        for (int i = 1; i <= 30; i++) {
            now += 1_000_000_000L;
            remaining.done(i, now, Duration.ZERO);
            assertThat(remaining.until(100)).contains(Duration.ofSeconds(100 - i));
        }
        for (int i = 31; i <= 50; i++) {
            now += 10_000_000_000L;
            remaining.done(i, now, Duration.ZERO);
        }
        assertThat(remaining.until(100)).contains(Duration.ofSeconds(500));
        assertThat(remaining.until(50)).contains(Duration.ZERO);
    }

    @Test
    void aResumedRunCountsFromWhereItBegan() {
        RemainingTime remaining = new RemainingTime(5_000_000_000L);
        remaining.done(401, 7_000_000_000L, Duration.ZERO);
        assertThat(remaining.until(500)).contains(Duration.ofSeconds(198));
    }

    /** Iterations take two seconds, and people take an hour, then a day. */
    @Test
    void theTimeThatPeopleTakeDoesNotCount() {
        RemainingTime remaining = new RemainingTime(0);
        long now = 0;
        List<Duration> ratings = List.of(Duration.ofHours(1), Duration.ofDays(1), Duration.ZERO);
        for (int i = 0; i < ratings.size(); i++) {
            now += 2_000_000_000L + ratings.get(i).toNanos();
            remaining.done(i + 1, now, ratings.get(i));
        }
        assertThat(remaining.until(10)).contains(Duration.ofSeconds(14));
    }
}
