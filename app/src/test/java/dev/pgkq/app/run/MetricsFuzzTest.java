package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.List;

/**
 * Arbitrary bytes as metrics that are plotted, as metrics that a resumed run continues, and as events: they are either read, or
 * rejected by a {@link UserException} with a message.
 */
class MetricsFuzzTest {
    private static final Path FILE = Path.of("file");
    private static final int LAST = 2;

    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) {
        List<String> lines = Metrics.wholeLines(bytes);
        assertThat(RunHistory.of(lines).words()).doesNotContainPattern("\\p{Cc}");
        try {
            Metrics metrics = Metrics.of(FILE, lines);
            assertThat(metrics.size()).isEqualTo(lines.size() - 1);
            metrics.column(MetricsFile.ITERATION);
            List<String> kept = MetricsFile.upTo(LAST, FILE, lines, metrics.columns());
            assertThat(lines.subList(0, kept.size())).isEqualTo(kept);
            MetricsFile.upTo(LAST, FILE, kept, List.of(MetricsFile.ITERATION));
        } catch (UserException e) {
            assertThat(e.getMessage()).startsWith("file").doesNotContainPattern("\\p{Cc}");
        }
    }
}
