package dev.pgkq.app.config;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Whatever the bytes: settings that a run can be made of and that its own {@code config.yaml} repeats, or a {@link
 * UserException} with a message.
 */
class ConfigFileFuzzTest {
    private static final Path FILE = Path.of("file");

    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) {
        Optional<RunConfig> read = unlessRefused(() -> RunConfig.of(ConfigFile.parse(FILE, new String(bytes, UTF_8))));
        read.ifPresent(config -> {
            RunConfig again = RunConfig.of(ConfigFile.parse(FILE, ConfigFile.text(config)));
            assertThat(again.resolved()).isEqualTo(config.resolved());
            unlessRefused(config::trainSettings);
            unlessRefused(config::maxEvaluations);
        });
    }

    private static <T> Optional<T> unlessRefused(Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (UserException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContainPattern("\\p{Cc}");
            return Optional.empty();
        }
    }
}
