package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.desk.Troubles.Trouble;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TroublesTest {
    private static final Optional<Duration> SOON = Optional.of(Duration.ofMillis(2500));

    private final List<String> told = new ArrayList<>();
    private final Troubles troubles = new Troubles();

    TroublesTest() {
        troubles.tell(trouble -> told.add(trouble.text()));
    }

    private void fail(int episode, String reason, Optional<Duration> nextIn) {
        troubles.add(new Trouble(3, episode, "4f1c", 1, reason, nextIn, 1));
    }

    @Test
    void everyKindIsToldOnceWithTheReasonAndWhatHappensNext() {
        for (int episode = 0; episode < 5; episode++) {
            fail(episode, "exit code 1; see runs/x/4f1c22ab90de" + episode + ".1", SOON);
        }
        fail(5, "no such model", SOON);
        fail(6, "exit code 1; see runs/x/000022ab90de77.5-2", Optional.empty());
        assertThat(told)
                .containsExactly(
                        "the reward of episode 0 of iteration 3 failed (attempt 1, asked again in 2.5s): exit code 1;"
                                + " see runs/x/4f1c22ab90de0.1",
                        "the reward of episode 5 of iteration 3 failed (attempt 1, asked again in 2.5s): no such model",
                        "the reward of episode 6 of iteration 3 failed (attempt 1, given up): exit code 1;"
                                + " see runs/x/000022ab90de77.5-2");
    }

    @Test
    void theOthersAreCountedWithoutAFlood() {
        for (int i = 0; i < 1000; i++) {
            fail(1, "no such model", Optional.empty());
            troubles.pause();
        }
        assertThat(told).hasSizeBetween(9, 12);
        assertThat(told.getLast()).startsWith("so far 512 rewards were given up like that of episode 1 of iteration 3");
        troubles.end();
        troubles.end();
        assertThat(told.getLast())
                .isEqualTo("so far 1000 rewards were given up like that of episode 1 of iteration 3: no such model");
        assertThat(told).hasSizeBetween(10, 13);
    }

    @Test
    void reasonsWithoutEndAreOneKind() {
        for (int i = 0; i < 5000; i++) {
            fail(i, "it said " + Integer.toString(i, 36).replaceAll("[0-9]", "z"), SOON);
        }
        assertThat(told).hasSizeLessThan(60);
    }
}
