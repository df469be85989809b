package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class RecordingTest {
    private static List<Integer> steps(int frames, int length) {
        Recording.Options options = new Recording.Options(false, frames);
        return IntStream.rangeClosed(0, length)
                .filter(step -> options.wantsFrame(step, length))
                .boxed()
                .toList();
    }

    @Test
    void framesAreEvenlySpacedFromTheStartToTheEnd() {
        assertThat(steps(5, 100)).containsExactly(0, 25, 50, 75, 100);
        assertThat(steps(4, 10)).containsExactly(0, 3, 7, 10);
        assertThat(steps(1, 10)).containsExactly(10);
        assertThat(steps(0, 10)).isEmpty();
        for (int length = 1; length < 60; length++) {
            for (int frames = 2; frames < 70; frames++) {
                List<Integer> chosen = steps(frames, length);
                assertThat(chosen)
                        .hasSize(Math.min(frames, length + 1))
                        .startsWith(0)
                        .endsWith(length);
                int most = 0;
                int least = length;
                for (int i = 1; i < chosen.size(); i++) {
                    most = Math.max(most, chosen.get(i) - chosen.get(i - 1));
                    least = Math.min(least, chosen.get(i) - chosen.get(i - 1));
                }
                assertThat(most - least).isLessThanOrEqualTo(1);
            }
        }
    }

    @Test
    void anEpisodeIsPlayedAgainFromItsSeedAndTheActionsThatTheEnvironmentReceived() {
        EnvironmentSpec spec = new EnvironmentSpec(2, new float[] {0}, new float[] {10}, 2, 20);
        Episode episode = new Episode(
                1,
                0,
                2,
                new float[] {1, 2, 3, -0f},
                new float[] {-3, 0.5f},
                new float[2],
                new double[] {2_000_000_011, 7, -1, 8, -2, 9},
                Ending.TERMINATED);
        Playback playback = episode.playback(spec);
        assertThat(playback.seed()).isEqualTo(2_000_000_011L);
        assertThat(playback.actions()).containsExactly(0, 7.5f);
        CRC32 sum = new CRC32();
        sum.update(ByteBuffer.allocate(8)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putFloat(3)
                .putFloat(-0f)
                .array());
        assertThat(playback.checks()[1]).isEqualTo((int) (sum.getValue() & 0xFFFFFF));
        assertThat(playback.length()).isEqualTo(2);
        assertThatThrownBy(() -> new Playback(1, new float[3], new int[2]))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
