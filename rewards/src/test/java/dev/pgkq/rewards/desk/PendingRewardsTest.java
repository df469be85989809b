package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PendingRewardsTest {
    private static final int ANY = Integer.MAX_VALUE;

    private Instant now = Instant.EPOCH;
    private final PendingRewards pending = new PendingRewards(() -> now);

    private void pass(int seconds) {
        now = now.plusSeconds(seconds);
    }

    @Test
    void theTimeUntilTheNextAttemptCountsDown() {
        pending.begin(2, 1);
        pending.asked(7, 1);
        pass(3);
        pending.failed(7, Duration.ofSeconds(30));
        assertThat(pending.text(ANY)).isEqualTo("rewards: 1 of 2; open: episode 7 for 0.0s (retry in 30s)");
        pass(12);
        assertThat(pending.text(ANY)).isEqualTo("rewards: 1 of 2; open: episode 7 for 12s (retry in 18s)");
        pass(30);
        assertThat(pending.text(ANY)).endsWith("(retry is due)");
        pending.asked(7, 2);
        assertThat(pending.text(ANY)).endsWith("episode 7 for 0.0s (attempt 2)");
        pending.gaveUp(7);
        assertThat(pending.text(ANY)).isEqualTo("rewards: 1 of 2, 1 failed");
    }

    @Test
    void itFitsAndSaysLessWhereThereIsLessRoom() {
        pending.begin(9, 0);
        for (int episode = 50; episode < 59; episode++) {
            pending.asked(episode, 1);
        }
        pass(60);
        pending.answered(50);
        for (int episode = 51; episode < 59; episode++) {
            pending.failed(episode, Duration.ofMinutes(12));
        }
        pass(10);
        String all = pending.text(ANY);
        assertThat(all)
                .isEqualTo(
                        "rewards: 1 of 9; open: episode 51 for 10s (retry in 11m 50s), 52 for 10s (retry in 11m 50s),"
                                + " 53 for 10s (retry in 11m 50s), 54 for 10s (retry in 11m 50s) and 4 more;"
                                + " they usually take 1m 00s");
        for (int columns = all.length(); columns >= 24; columns--) {
            assertThat(pending.text(columns)).hasSizeLessThanOrEqualTo(columns);
        }
        assertThat(pending.text(79))
                .isEqualTo("rewards: 1 of 9; open: episode 51 for 10s (retry in 11m 50s) and 7 more");
        assertThat(pending.text(30)).isEqualTo("rewards: 1 of 9; 8 open");
    }
}
