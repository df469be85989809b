package dev.pgkq.app.trace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Recording;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FrameFileTest {
    /** The most that a response has room for. */
    private static final int BOUND = 64 << 20;

    @TempDir
    private Path folder = Path.of("");

    /** A picture that is read in part is none, and later ones may still have room. */
    @Test
    void picturesBeyondTheBoundAreLeftOutWhole() {
        Path file = folder.resolve("000001.frames.zip");
        List<Recording.Frame> frames = List.of(
                new Recording.Frame(0, new byte[1000]),
                new Recording.Frame(1, new byte[BOUND - 999]),
                new Recording.Frame(2, new byte[BOUND - 1000]),
                new Recording.Frame(3, new byte[1]));
        FrameFile.write(file, Map.of(7, new Recording(List.of(), frames, 20)));

        Recording read = FrameFile.read(file, 7).orElseThrow();

        assertThat(read.frames()).extracting(Recording.Frame::step).containsExactly(0, 2);
        assertThat(read.frames()).extracting(frame -> frame.png().length).containsExactly(1000, BOUND - 1000);
        assertThat(read.framesPerSecond()).isEqualTo(20);
        assertThat(FrameFile.has(file, 7)).isTrue();
        assertThat(FrameFile.has(file, 70)).isFalse();
        assertThat(FrameFile.read(file, 70)).isEmpty();
    }
}
