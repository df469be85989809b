package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.state.Snapshot;
import dev.pgkq.statistics.Statistics;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BestPolicyTest {
    @TempDir
    private Path folder = Path.of("");

    private static Snapshot state(int iteration) {
        Snapshot.Builder builder = new Snapshot.Builder();
        builder.tensor("policy/layer0/bias", new float[] {iteration}, 1);
        builder.tensor("policy/adam/m/layer0/bias", new float[] {1}, 1);
        builder.tensor("baseline/layer0/bias", new float[] {2}, 1);
        builder.counter("iteration", iteration);
        builder.counter("policy/adam/steps", 3);
        builder.counter("steps", 4);
        builder.attribute("task", "Some-v0");
        builder.attribute("policy/sizes", "1,1");
        builder.attribute("reward_per", "step");
        return builder.build();
    }

    private static Statistics earning(double... returns) {
        return Statistics.of(returns);
    }

    @Test
    void onlyABetterPolicyOrTheSameOneAgainReplacesTheOneThatIsKept() {
        BestPolicy best = new RunDirectory(folder).best();
        assertThatThrownBy(best::read).hasMessageContaining("without --evaluate-every");
        assertThat(best.offer(state(2), "none", earning(-5, -3))).isTrue();
        assertThat(best.offer(state(4), "none", earning(-4))).isFalse();
        assertThat(best.offer(state(6), "none", earning(-3.5))).isTrue();
        assertThat(best.offer(state(8), "none", earning(-9))).isFalse();
        assertThat(best.read().iteration()).isEqualTo(6);
        // the iteration is repeated, perhaps on another kind of processor
        assertThat(best.offer(state(6), "none", earning(-3.6))).isTrue();
        assertThat(best.offer(state(8), "none", earning(-3.55))).isTrue();
    }

    @Test
    void nothingButThePolicyAndItsTrialIsKept() {
        BestPolicy best = new RunDirectory(folder).best();
        best.offer(state(2), "none", earning(1, 3));
        Snapshot kept = best.read();
        assertThat(kept.tensors()).containsOnlyKeys("policy/layer0/bias");
        assertThat(kept.counters()).containsOnlyKeys("iteration");
        assertThat(kept.attributes())
                .containsOnlyKeys(
                        "task", "policy/sizes", "evaluation/return", "evaluation/standard_error", "evaluation/episodes")
                .containsEntry("evaluation/return", "2.0")
                .containsEntry("evaluation/standard_error", "1.0");
    }

    /** It may be the better one. */
    @Test
    void whatCannotBeReadIsNotReplaced() throws IOException {
        BestPolicy best = new RunDirectory(folder).best();
        Files.createDirectory(best.file());

        assertThatThrownBy(() -> best.offer(state(4), "none", earning(1))).isInstanceOf(UserException.class);

        assertThat(best.file()).isDirectory();
    }

    @Test
    void aDamagedFileIsReportedAndReplacedByTheNextPolicy() throws IOException {
        BestPolicy best = new RunDirectory(folder).best();
        best.offer(state(2), "none", earning(100));
        byte[] bytes = Files.readAllBytes(best.file());
        bytes[bytes.length - 1] ^= 1;
        Files.write(best.file(), bytes);
        assertThatThrownBy(best::read).hasMessageContaining("checksum");
        assertThat(best.offer(state(4), "none", earning(1))).isTrue();
        assertThat(best.read().iteration()).isEqualTo(4);
    }
}
