package dev.pgkq.app.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "PT-3S,0.0s",
        "PT0S,0.0s",
        "PT0.44S,0.4s",
        "PT9.94S,9.9s",
        "PT9.96S,10s",
        "PT59.4S,59s",
        "PT59.6S,1m 00s",
        "PT3M5S,3m 05s",
        "PT59M59S,59m 59s",
        "PT59M59.6S,1h 00m",
        "PT1H2M20S,1h 02m",
        "PT23H59M40S,1d 00h",
        "PT51H,2d 03h",
    })
    void twoUnitsAreEnough(Duration duration, String text) {
        assertThat(Durations.format(duration)).isEqualTo(text);
    }

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

    @ParameterizedTest
    @CsvSource({
        "NaN,n/a",
        "0,0",
        "-0.5,-0.500",
        "3.14159,3.14",
        "123.456,123.5",
        "-9000.4,-9000",
        "12345678,1.2e+07",
        "0.00012,1.2e-04",
        "Infinity,inf",
        "-Infinity,-inf"
    })
    void numbersAreBrief(double value, String text) {
        assertThat(Numbers.brief(value)).isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({"0,0", "9999,9999", "10000,10.0k", "999960,1.0M", "12345678,12.3M", "NaN,n/a"})
    void countsAreBrief(double value, String text) {
        assertThat(Numbers.count(value)).isEqualTo(text);
    }
}
