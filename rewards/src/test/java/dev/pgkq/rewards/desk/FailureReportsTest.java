package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.desk.FailureReports.FailedAttempt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FailureReportsTest {
    private static final Optional<Duration> SOON = Optional.of(Duration.ofMillis(2500));

    private final List<String> reported = new ArrayList<>();
    private final FailureReports reports = new FailureReports();

    FailureReportsTest() {
        reports.setListener(failure -> reported.add(failure.text()));
    }

    private void fail(int episode, String reason, Optional<Duration> nextIn) {
        reports.add(new FailedAttempt(3, episode, "4f1c", 1, reason, nextIn, 1));
    }

    @Test
    void everyKindIsReportedOnceWithTheReasonAndWhatHappensNext() {
        for (int episode = 0; episode < 5; episode++) {
            fail(episode, "exit code 1; see runs/x/4f1c22ab90de" + episode + ".1", SOON);
        }
        fail(5, "no such model", SOON);
        fail(6, "exit code 1; see runs/x/000022ab90de77.5-2", Optional.empty());
        assertThat(reported)
                .containsExactly(
                        "the reward of episode 0 of iteration 3 failed (attempt 1, next attempt in 2.5s): exit code 1;"
                                + " see runs/x/4f1c22ab90de0.1",
                        "the reward of episode 5 of iteration 3 failed (attempt 1, next attempt in 2.5s): no such model",
                        "the reward of episode 6 of iteration 3 failed (attempt 1, given up): exit code 1;"
                                + " see runs/x/000022ab90de77.5-2");
    }

    @Test
    void theOthersAreCountedWithoutAFlood() {
        for (int i = 0; i < 1000; i++) {
            fail(1, "no such model", Optional.empty());
            reports.reportDoubled();
        }
        assertThat(reported).hasSizeBetween(9, 12);
        assertThat(reported.getLast())
                .startsWith("512 rewards have been given up so far for the same reason as episode 1 of iteration 3");
        reports.reportRemaining();
        reports.reportRemaining();
        assertThat(reported.getLast())
                .isEqualTo(
                        "1000 rewards have been given up so far for the same reason as episode 1 of iteration 3: no such model");
        assertThat(reported).hasSizeBetween(10, 13);
    }

    @Test
    void reasonsWithoutEndAreOneKind() {
        for (int i = 0; i < 5000; i++) {
            fail(i, "it said " + Integer.toString(i, 36).replaceAll("[0-9]", "z"), SOON);
        }
        assertThat(reported).hasSizeLessThan(60);
    }
}
