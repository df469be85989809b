package dev.pgkq.app.logged;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.text.UserException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * Any bytes, as an archive and as arrays in one, give either valid episodes or a {@link UserException} with a message.
 */
class NpzEpisodesFuzzTest {
    private static final byte[] COUNTS = NpyFiles.counts(1, 2);
    private static final byte[] STEPS = NpyFiles.floats("(3, 1)", 1, 2, 3);

    /** Skips bytes that are not arrays, because writing files would take most of the time. */
    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) throws IOException {
        boolean archive = bytes.length > 1 && bytes[0] == 'P' && bytes[1] == 'K';
        if (!archive && !isArray(bytes)) {
            return;
        }
        Path file = Files.createTempFile("fuzz", ".npz");
        try {
            if (archive) {
                read(file, bytes);
            } else {
                read(file, NpyFiles.zip(Map.of("observations", bytes, "actions", bytes)));
                read(file, NpyFiles.zip(Map.of("observations", bytes, "actions", bytes, "lengths", COUNTS)));
                read(file, NpyFiles.zip(Map.of("observations", STEPS, "actions", STEPS, "starts", bytes)));
            }
        } finally {
            Files.delete(file);
        }
    }

    private static boolean isArray(byte[] bytes) throws IOException {
        try {
            NpyArray.open("array", new ByteArrayInputStream(bytes), bytes.length);
            return true;
        } catch (UserException e) {
            assertThat(e.getMessage()).startsWith("array ").doesNotContainPattern("\\p{Cc}");
            return false;
        }
    }

    private static void read(Path file, byte[] bytes) throws IOException {
        Files.write(file, bytes);
        try {
            JsonEpisodesFuzzTest.assertValid(NpzEpisodes.read(file));
        } catch (UserException e) {
            assertThat(e.getMessage()).contains(file.toString()).doesNotContainPattern("\\p{Cc}");
        }
    }
}
