package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RepeatedWarningsTest {
    private long now;
    private final List<String> passedOn = new ArrayList<>();
    private final RepeatedWarnings warnings = new RepeatedWarnings(passedOn::add, () -> now);

    @Test
    void theFirstOfEachKindIsPassedOnAndRepeatsOnlyAfterAPause() {
        for (int second = 0; second <= 70; second++) {
            now = Duration.ofSeconds(second).toNanos();
            warnings.accept("the disk is full, " + second + " bytes left");
            warnings.accept("the server is gone");
        }
        assertThat(passedOn)
                .containsExactly(
                        "the disk is full, 0 bytes left",
                        "the server is gone",
                        "the disk is full, 61 bytes left",
                        "the server is gone");
    }

    @Test
    void ofManyKindsEachIsPassedOn() {
        for (int i = 0; i < 1000; i++) {
            warnings.accept("x".repeat(i + 1));
        }
        assertThat(passedOn).hasSize(1000);
    }
}
