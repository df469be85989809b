package dev.pgkq.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
}
