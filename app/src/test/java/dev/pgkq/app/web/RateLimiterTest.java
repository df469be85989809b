package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final RateLimiter limit = new RateLimiter(3, 0.5, () -> Instant.ofEpochMilli(millis.get()));

    @Test
    void soManyAtOnceAndThenSoManyASecond() {
        for (int i = 0; i < 3; i++) {
            assertThat(limit.take("a")).isZero();
        }
        assertThat(limit.take("a")).isEqualTo(2);
        assertThat(limit.take("b")).isZero();
        millis.addAndGet(1000);
        assertThat(limit.take("a")).isEqualTo(1);
        millis.addAndGet(1000);
        assertThat(limit.take("a")).isZero();
        assertThat(limit.take("a")).isEqualTo(2);
        millis.addAndGet(1_000_000);
        for (int i = 0; i < 3; i++) {
            assertThat(limit.take("a")).isZero();
        }
        assertThat(limit.take("a")).isPositive();
    }

    @Test
    void aClockThatIsSetBackLocksNobodyOut() {
        assertThat(limit.take("a")).isZero();
        millis.addAndGet(-500_000);
        assertThat(limit.take("a")).isZero();
        assertThat(limit.take("a")).isZero();
        assertThat(limit.take("a")).isEqualTo(2);
        millis.addAndGet(2000);
        assertThat(limit.take("a")).isZero();
    }

    @Test
    void addressesOfOneNetworkCountAsOne() {
        assertThat(RateLimiter.client("2001:db8:1:2::1"))
                .isEqualTo(RateLimiter.client("[2001:db8:1:2:ffff::7]"))
                .isNotEqualTo(RateLimiter.client("2001:db8:1:3::1"));
        assertThat(RateLimiter.client("192.0.2.1")).isNotEqualTo(RateLimiter.client("192.0.2.2"));
        assertThat(RateLimiter.client("nonsense")).isEqualTo("unknown");
    }
}
