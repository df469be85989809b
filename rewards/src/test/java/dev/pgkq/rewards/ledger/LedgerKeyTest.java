package dev.pgkq.rewards.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LedgerKeyTest {
    private static Episode episode(int iteration, int index, float[] observations, float[] actions, Ending ending) {
        int length = 2;
        return new Episode(
                iteration, index, length, observations, actions, new float[length], new double[length + 1], ending);
    }

    private static final Episode EPISODE =
            episode(3, 4, new float[] {1.5f, -2, 0.1f, 3}, new float[] {0.25f, -0.75f}, Ending.TRUNCATED);

    /**
     * Computed by Python according to {@code docs/ledger.md}:
     *
     * <pre>
     * import hashlib, struct
     * fields = [b'pgkq-evaluation-1', 'Gutachter ä'.encode(), b'Hopper-v4', b'2',
     *           struct.pack('<4f', 1.5, -2, 0.1, 3), struct.pack('<2f', 0.25, -0.75), b'TRUNCATED']
     * hashlib.sha256(b''.join(struct.pack('<q', len(f)) + f for f in fields)).hexdigest()
     * </pre>
     */
    @Test
    void isWhatTheDocumentationSays() {
        assertThat(LedgerKey.of("Gutachter ä", "Hopper-v4", EPISODE).hex())
                .isEqualTo("6893dd22ff217dc39fd9adbaec6de4704e2ee3995040a31d81cc72165e3f88ca");
    }

    @Test
    void doesNotDependOnWhereInARunTheEpisodeWasSampled() {
        Episode elsewhere =
                episode(30, 40, new float[] {1.5f, -2, 0.1f, 3}, new float[] {0.25f, -0.75f}, Ending.TRUNCATED);
        assertThat(LedgerKey.of("judge", "Hopper-v4", elsewhere))
                .isEqualTo(LedgerKey.of("judge", "Hopper-v4", EPISODE));
    }

    @Test
    void changesWithEverythingThatAnAnswerDependsOn() {
        float[] observations = EPISODE.observations();
        float[] actions = EPISODE.actions();
        float next = Math.nextUp(observations[3]);
        List<LedgerKey> keys = List.of(
                LedgerKey.of("judge", "Hopper-v4", EPISODE),
                LedgerKey.of("judge ", "Hopper-v4", EPISODE),
                LedgerKey.of("judgeH", "opper-v4", EPISODE),
                LedgerKey.of("judge", "Hopper-v3", EPISODE),
                LedgerKey.of("judge", "Hopper-v4", episode(3, 4, observations, actions, Ending.TERMINATED)),
                LedgerKey.of(
                        "judge",
                        "Hopper-v4",
                        episode(3, 4, new float[] {1.5f, -2, 0.1f, next}, actions, Ending.TRUNCATED)),
                LedgerKey.of(
                        "judge",
                        "Hopper-v4",
                        episode(3, 4, observations, new float[] {0.25f, 0.75f}, Ending.TRUNCATED)),
                // The same six numbers, divided differently between observations and actions.
                LedgerKey.of(
                        "judge",
                        "Hopper-v4",
                        episode(3, 4, new float[] {1.5f, -2}, new float[] {0.1f, 3, 0.25f, -0.75f}, Ending.TRUNCATED)));
        assertThat(keys).doesNotHaveDuplicates();
    }

    @Test
    void anEpisodeWithoutStepsHasAKey() {
        Episode none = new Episode(0, 0, 0, new float[0], new float[0], new float[0], new double[1], Ending.DIVERGED);
        assertThat(Set.of(LedgerKey.of("judge", "Hopper-v4", none), LedgerKey.of("judge", "Hopper-v4", EPISODE)))
                .hasSize(2);
    }

    @Test
    void isSixtyFourDigits() {
        assertThatThrownBy(() -> new LedgerKey("12ab")).isInstanceOf(IllegalArgumentException.class);
    }
}
