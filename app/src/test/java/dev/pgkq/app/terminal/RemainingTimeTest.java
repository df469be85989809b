package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class RemainingTimeTest {
    @Test
    void theTimeLeftFollowsTheLastIterationsNotAll() {
        RemainingTime remaining = new RemainingTime(0);
        assertThat(remaining.until(100)).isEmpty();

        long now = 0;
        for (int i = 1; i <= 30; i++) {
            now += 1_000_000_000L;
            remaining.done(i, now);
            assertThat(remaining.until(100)).contains(Duration.ofSeconds(100 - i));
        }
        for (int i = 31; i <= 50; i++) {
            now += 10_000_000_000L;
            remaining.done(i, now);
        }
        assertThat(remaining.until(100)).contains(Duration.ofSeconds(500));
        assertThat(remaining.until(50)).contains(Duration.ZERO);
    }

    @Test
    void aResumedRunCountsFromWhereItBegan() {
        RemainingTime remaining = new RemainingTime(5_000_000_000L);
        remaining.done(401, 7_000_000_000L);
        assertThat(remaining.until(500)).contains(Duration.ofSeconds(198));
    }
}
