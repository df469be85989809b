package dev.pgkq.app.logged;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.text.UserException;
import java.io.ByteArrayInputStream;
import java.nio.file.Path;

/** Any bytes give either valid episodes or a {@link UserException} with a message. */
class JsonEpisodesFuzzTest {
    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) {
        try {
            assertValid(JsonEpisodes.read(Path.of("file"), new ByteArrayInputStream(bytes), what -> {}));
        } catch (UserException e) {
            assertThat(e.getMessage()).startsWith("file").doesNotContainPattern("\\p{Cc}");
        }
    }

    static void assertValid(LoggedEpisodes episodes) {
        int steps = episodes.steps().size();
        assertThat(episodes.count()).isPositive();
        assertThat(episodes.ids()).hasSize(episodes.count());
        assertThat(steps).isGreaterThanOrEqualTo(episodes.count());
        assertThat(episodes.steps().observations()).hasSize(steps * episodes.observationSize());
        assertThat(episodes.steps().actions()).hasSize(steps * episodes.actionSize());
        for (float value : episodes.steps().stateActions()) {
            assertThat(value).isFinite();
        }
    }
}
