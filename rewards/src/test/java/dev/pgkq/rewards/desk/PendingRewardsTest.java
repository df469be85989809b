package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PendingRewardsTest {
    private static final int ANY = Integer.MAX_VALUE;

    private Instant now = Instant.EPOCH;
    private final PendingRewards orders = new PendingRewards(() -> now);

    private void pass(int seconds) {
        now = now.plusSeconds(seconds);
    }

    @Test
    void theTimeUntilTheNextAttemptCountsDown() {
        orders.begin(2, 1);
        orders.asked(7, 1);
        pass(3);
        orders.failed(7, Duration.ofSeconds(30));
        assertThat(orders.text(ANY)).isEqualTo("rewards: 1 of 2; out: episode 7 for 0.0s (again in 30s)");
        pass(12);
        assertThat(orders.text(ANY)).isEqualTo("rewards: 1 of 2; out: episode 7 for 12s (again in 18s)");
        pass(30);
        assertThat(orders.text(ANY)).endsWith("(again soon)");
        orders.asked(7, 2);
        assertThat(orders.text(ANY)).endsWith("episode 7 for 0.0s (attempt 2)");
        orders.gaveUp(7);
        assertThat(orders.text(ANY)).isEqualTo("rewards: 1 of 2, 1 failed");
    }

    @Test
    void itFitsAndSaysLessWhereThereIsLessRoom() {
        orders.begin(9, 0);
        for (int episode = 50; episode < 59; episode++) {
            orders.asked(episode, 1);
        }
        pass(60);
        orders.answered(50);
        for (int episode = 51; episode < 59; episode++) {
            orders.failed(episode, Duration.ofMinutes(12));
        }
        pass(10);
        String all = orders.text(ANY);
        assertThat(all)
                .isEqualTo("rewards: 1 of 9; out: episode 51 for 10s (again in 11m 50s), 52 for 10s (again in 11m 50s),"
                        + " 53 for 10s (again in 11m 50s), 54 for 10s (again in 11m 50s) and 4 more;"
                        + " they usually take 1m 00s");
        for (int columns = all.length(); columns >= 24; columns--) {
            assertThat(orders.text(columns)).hasSizeLessThanOrEqualTo(columns);
        }
        assertThat(orders.text(79)).isEqualTo("rewards: 1 of 9; out: episode 51 for 10s (again in 11m 50s) and 7 more");
        assertThat(orders.text(30)).isEqualTo("rewards: 1 of 9; 8 out");
    }
}
