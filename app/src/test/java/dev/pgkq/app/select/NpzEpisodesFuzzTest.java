package dev.pgkq.app.select;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Whatever the bytes, as an archive and as the arrays in one: episodes that can be used, or a {@link UserException} with a
 * message.
 */
class NpzEpisodesFuzzTest {
    private static final byte[] COUNTS = Npys.counts(1, 2);

    @FuzzTest(maxDuration = "60s")
    void anyBytes(byte[] bytes) throws IOException {
        Path file = Files.createTempFile("fuzz", ".npz");
        try {
            read(file, bytes);
            read(file, Npys.zip(Map.of("observations", bytes, "actions", bytes)));
            read(file, Npys.zip(Map.of("observations", bytes, "actions", bytes, "lengths", COUNTS)));
            read(
                    file,
                    Npys.zip(Map.of(
                            "observations",
                            Npys.floats("(3, 1)", 1, 2, 3),
                            "actions",
                            Npys.floats("(3, 1)", 1, 2, 3),
                            "starts",
                            bytes)));
        } finally {
            Files.delete(file);
        }
    }

    private static void read(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        try {
            JsonEpisodesFuzzTest.sound(NpzEpisodes.read(file));
        } catch (UserException e) {
            assertThat(e.getMessage()).contains(file.toString()).doesNotContainPattern("\\p{Cc}");
        }
    }
}
