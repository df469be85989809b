package dev.pgkq.app.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RateLimiterTest {
    private final AtomicLong millis = new AtomicLong(1_000_000);
    private final RateLimiter limiter = new RateLimiter(3, 0.5, () -> Instant.ofEpochMilli(millis.get()));

    @Test
    void allowsABurstAndThenASustainedRate() {
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.acquire("a")).isZero();
        }
        assertThat(limiter.acquire("a")).isEqualTo(2);
        assertThat(limiter.acquire("b")).isZero();
        millis.addAndGet(1000);
        assertThat(limiter.acquire("a")).isEqualTo(1);
        millis.addAndGet(1000);
        assertThat(limiter.acquire("a")).isZero();
        assertThat(limiter.acquire("a")).isEqualTo(2);
        millis.addAndGet(1_000_000);
        for (int i = 0; i < 3; i++) {
            assertThat(limiter.acquire("a")).isZero();
        }
        assertThat(limiter.acquire("a")).isPositive();
    }

    @Test
    void aClockThatIsSetBackBlocksNobody() {
        assertThat(limiter.acquire("a")).isZero();
        millis.addAndGet(-500_000);
        assertThat(limiter.acquire("a")).isZero();
        assertThat(limiter.acquire("a")).isZero();
        assertThat(limiter.acquire("a")).isEqualTo(2);
        millis.addAndGet(2000);
        assertThat(limiter.acquire("a")).isZero();
    }

    @Test
    void addressesOfOneNetworkShareABucket() {
        assertThat(RateLimiter.clientKey("2001:db8:1:2::1"))
                .isEqualTo(RateLimiter.clientKey("[2001:db8:1:2:ffff::7]"))
                .isNotEqualTo(RateLimiter.clientKey("2001:db8:1:3::1"));
        assertThat(RateLimiter.clientKey("192.0.2.1")).isNotEqualTo(RateLimiter.clientKey("192.0.2.2"));
        assertThat(RateLimiter.clientKey("nonsense")).isEqualTo("unknown");
    }
}
