package dev.pgkq.app.run;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.policy.Policy;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Contents;
import dev.pgkq.rewards.files.SnapshotFile;
import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A checkpoint is what {@code docs/checkpoints.md} says. */
class CheckpointsTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");
    private static final float[] OBSERVATION = {0.6f, -0.8f, 2.5f};

    @TempDir
    private Path folder;

    /** Saves a trained state and returns what the file holds. */
    private Contents saved(Trainer trainer) {
        trainer.iterate();
        new Checkpoints(folder).save(new Checkpoints.Saved(trainer.snapshot(), "numerics"));
        return Safetensors.read(folder.resolve("iteration-000001.safetensors"));
    }

    private static Trainer trainer(String algorithm) {
        return new Trainer(PENDULUM, TrainSettings.defaults(Algorithm.named(algorithm), 1), 2);
    }

    @Test
    void theMeanActionCanBeComputedFromNamedTensorsAndMetadataAlone() {
        try (Trainer trainer = trainer("ppo-large")) {
            Contents file = saved(trainer);
            Policy.Batch batch = trainer.policy().batch(1);
            System.arraycopy(OBSERVATION, 0, batch.observations(), 0, OBSERVATION.length);
            trainer.policy().act(batch, 1);
            float[] action = new float[1];
            PENDULUM.spec().toEnvironment(batch.actions(), 0, action);

            assertThat(file.metadata())
                    .containsEntry("task", "Pendulum-v1")
                    .containsEntry("policy/hidden_activation", "relu")
                    .containsEntry("policy/output_activation", "tanh")
                    .containsEntry("policy/action_low", "-2.0")
                    .containsEntry("policy/action_high", "2.0");
            double mean = Math.tanh(output(file, "policy", OBSERVATION));
            assertThat((double) batch.outputs()[0])
                    .isCloseTo(mean, offset(1e-6))
                    .isNotZero();
            assertThat((double) action[0]).isCloseTo(-2 + (mean + 1) / 2 * 4, offset(1e-6));
            assertThat(file.tensor("policy/log_std", 1).values()[0])
                    .isEqualTo(trainer.policy().parameters()[trainer.policy().parameters().length - 1]);
        }
    }

    /** y = W h + b layer by layer, in double precision, with nothing but the file. */
    private static double output(Contents file, String network, float[] input) {
        int[] sizes = Arrays.stream(Objects.requireNonNull(file.metadata().get(network + "/sizes"))
                        .split(",", -1))
                .mapToInt(Integer::parseInt)
                .toArray();
        double[] h = new double[input.length];
        Arrays.setAll(h, i -> input[i]);
        for (int l = 0; l + 1 < sizes.length; l++) {
            float[] weight = file.tensor(network + "/layer" + l + "/weight", sizes[l + 1], sizes[l])
                    .values();
            float[] bias =
                    file.tensor(network + "/layer" + l + "/bias", sizes[l + 1]).values();
            double[] next = new double[sizes[l + 1]];
            for (int o = 0; o < next.length; o++) {
                next[o] = bias[o];
                for (int i = 0; i < h.length; i++) {
                    next[o] += weight[o * h.length + i] * h[i];
                }
                next[o] = l + 2 < sizes.length ? Math.max(0, next[o]) : next[o];
            }
            h = next;
        }
        return h[0];
    }

    @Test
    void everyNetworkIsNamedByLayer() {
        try (Trainer trainer = trainer("ppo-kq-plus")) {
            Contents file = saved(trainer);
            EnvironmentSpec spec = PENDULUM.spec();
            int step = spec.observationSize() + spec.actionSize();
            Map.of("policy", 3, "baseline", 3, "reward_model", step).forEach((network, inputs) -> {
                for (String prefix : new String[] {network, network + "/adam/m", network + "/adam/v"}) {
                    file.tensor(prefix + "/layer0/weight", 200, inputs);
                    file.tensor(prefix + "/layer1/weight", 100, 200);
                    file.tensor(prefix + "/layer2/bias", 1);
                }
                assertThat(file.metadata()).containsEntry(network + "/sizes", inputs + ",200,100,1");
            });
            file.tensor("kernel/layer2/weight", 10, step);
            file.tensor("kernel/log_scale", 1);
            file.tensor("kernel/log_noise", 1);
            file.tensor("correction_weights/pooled", 2);
            int paid = Objects.requireNonNull(file.tensors().get("reward_memory/lengths"))
                    .values()
                    .length;
            assertThat(paid).isBetween(1, 8);
            file.tensor("reward_memory/inputs", 200 * paid, step);
            file.tensor("reward_memory/rewards", 200 * paid);
            assertThat(file.metadata()).containsEntry("counter/iteration", "1");
        }
    }

    @Test
    void aCheckpointOfAnEarlierFormatIsRefusedAndLeftAlone() throws IOException {
        Path old = folder.resolve("iteration-000003.safetensors");
        copy("format-1.safetensors", old);
        assertThatThrownBy(() -> new Checkpoints(folder).newest())
                .isInstanceOf(UserException.class)
                .hasMessageContaining(old.toString())
                .hasMessageContaining("has format 1")
                .hasMessageContaining("version of pgkq that wrote it");
        assertThat(old).exists();
    }

    @Test
    void aCheckpointOfALaterFormatIsRefusedAndLeftAlone() {
        save(1);
        save(2);
        Path newest = folder.resolve("iteration-000002.safetensors");
        Contents file = Safetensors.read(newest);
        Map<String, String> metadata = new LinkedHashMap<>(file.metadata());
        metadata.remove(SnapshotFile.CHECKSUM);
        metadata.put(Checkpoints.FORMAT, "3");
        metadata.put(SnapshotFile.CHECKSUM, SnapshotFile.checksum(file.tensors(), metadata));
        Safetensors.write(newest, file.tensors(), metadata);
        assertThatThrownBy(() -> new Checkpoints(folder).newest())
                .isInstanceOf(UserException.class)
                .hasMessageContaining(newest.toString())
                .hasMessageContaining("has format 3");
    }

    /** Saved when the checksum did not cover {@code numerics} and {@code pgkq_checkpoint}. */
    @Test
    void theFirstFilesOfThisFormatAreRead() throws IOException {
        Path file = folder.resolve("iteration-000003.safetensors");
        copy("saved.safetensors", file);
        assertThat(newest().saved().snapshot().iteration()).isEqualTo(3);
        assertThat(newest().saved().numerics()).isEqualTo("OpenBLAS");
        save(2);
        flip(file, indexOf(Files.readAllBytes(file), "\"2\"") + 1, 1);
        assertThat(newest().saved().snapshot().iteration()).isEqualTo(2);
    }

    /** Every byte of the file counts: its length, names, shapes, offsets, entries, padding and numbers. */
    @ParameterizedTest
    @ValueSource(ints = {0x01, 0x20, 0x80})
    void whicheverByteIsDamagedTheCheckpointBeforeIsUsed(int bits) throws IOException {
        save(1);
        save(2);
        Path file = folder.resolve("iteration-000002.safetensors");
        byte[] intact = Files.readAllBytes(file);
        assertThat(newest().saved().snapshot().iteration()).isEqualTo(2);
        for (int at = 0; at < intact.length; at++) {
            flip(file, at, bits);
            Checkpoints.Found found = newest();
            assertThat(found.saved().snapshot().iteration())
                    .as("after a change at byte %d of %d", at, intact.length)
                    .isEqualTo(1);
            assertThat(found.damaged()).containsOnlyKeys(file);
            Files.write(file, intact);
        }
    }

    @Test
    void aFolderInPlaceOfTheNewestCheckpointIsSetAsideAndTheOneBeforeIsUsed() throws IOException {
        save(1);
        for (int time = 1; time <= 2; time++) {
            Path folderInstead = Files.createDirectory(folder.resolve("iteration-000002.safetensors"));
            Files.writeString(folderInstead.resolve("something"), "");
            Checkpoints.Found found = newest();
            assertThat(found.saved().snapshot().iteration()).isEqualTo(1);
            assertThat(found.damaged()).containsOnlyKeys(folderInstead);
            new Checkpoints(folder).setAside(found);
            assertThat(folderInstead).doesNotExist();
        }
        assertThat(folder.resolve("iteration-000002.safetensors.damaged/something"))
                .exists();
        assertThat(folder.resolve("iteration-000002.safetensors.damaged-2/something"))
                .exists();
    }

    @Test
    void aFolderThatIsOlderThanTheCheckpointsIsLeftAlone() throws IOException {
        Path older = Files.createDirectory(folder.resolve("iteration-000001.safetensors"));
        Files.writeString(older.resolve("something"), "");
        save(2);
        save(3);
        save(4);
        assertThat(older).isDirectory();
        assertThat(folder.resolve("iteration-000002.safetensors")).doesNotExist();
        assertThat(newest().saved().snapshot().iteration()).isEqualTo(4);
    }

    private void save(int iteration) {
        Snapshot.Builder state = new Snapshot.Builder();
        state.counter(Snapshot.ITERATION, iteration);
        state.counter("policy/adam/steps", 480);
        state.attribute("task", "Pendulum-v1");
        state.tensor("policy/layer0/weight", new float[] {1, 2, 3, 4, 5, 6}, 2, 3);
        state.tensor("policy/log_std", new float[] {-0.5f, Float.NaN}, 2);
        new Checkpoints(folder).save(new Checkpoints.Saved(state.build(), "OpenBLAS 0.3.30"));
    }

    private Checkpoints.Found newest() {
        return new Checkpoints(folder).newest().orElseThrow();
    }

    private static void flip(Path file, int at, int bits) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[at] ^= (byte) bits;
        Files.write(file, bytes);
    }

    private static int indexOf(byte[] bytes, String text) {
        return new String(bytes, ISO_8859_1).indexOf(text);
    }

    private static void copy(String name, Path file) throws IOException {
        try (InputStream bytes = Objects.requireNonNull(
                CheckpointsTest.class.getResourceAsStream("CheckpointsFuzzTestInputs/anyBytes/" + name))) {
            Files.copy(bytes, file);
        }
    }

    @Test
    void aShapeOrAnAttributeThatWasChangedIsNoticed() {
        try (Trainer trainer = trainer("ppo-large")) {
            Contents file = saved(trainer);
            Map<String, Tensor> tensors = new LinkedHashMap<>(file.tensors());
            tensors.put(
                    "policy/layer0/weight",
                    Tensor.of(file.tensor("policy/layer0/weight", 200, 3).values(), 3, 200));
            damaged(new Contents(file.file(), tensors, file.metadata()));
            Map<String, String> metadata = new LinkedHashMap<>(file.metadata());
            metadata.put("policy/output_activation", "identity");
            damaged(new Contents(file.file(), file.tensors(), metadata));
            assertThat(Checkpoints.saved(file).snapshot().iteration()).isEqualTo(1);
        }
    }

    private static void damaged(Contents contents) {
        assertThatThrownBy(() -> Checkpoints.saved(contents))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("checksum");
    }
}
