package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Contents;
import dev.pgkq.rewards.files.SnapshotFile;
import dev.pgkq.text.UserException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Whatever the bytes: a state that was saved, or a {@link UserException} with a message. A wrong checksum is noticed, and then
 * made right, so that what comes after it is looked at, too.
 */
class CheckpointsFuzzTest {
    @FuzzTest(maxDuration = "30s")
    void anyBytes(byte[] bytes) {
        try {
            Contents contents = Safetensors.read(Path.of("file"), MemorySegment.ofArray(bytes), name -> true);
            contents.tensors()
                    .forEach((name, tensor) ->
                            assertThat(tensor.values()).hasSizeLessThanOrEqualTo(bytes.length / Float.BYTES));
            Map<String, String> metadata = new LinkedHashMap<>(contents.metadata());
            metadata.remove(SnapshotFile.CHECKSUM);
            metadata.put(Checkpoints.FORMAT, "2");
            String right = SnapshotFile.checksum(contents.tensors(), metadata);
            assertThatThrownBy(() -> Checkpoints.saved(with(contents, metadata, wrong(right))))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("checksum");
            Checkpoints.Saved saved = Checkpoints.saved(with(contents, metadata, right));
            assertThat(saved.snapshot().iteration()).isNotNegative();
            assertThat(saved.snapshot().tensors()).hasSameSizeAs(contents.tensors());
        } catch (UserException e) {
            assertThat(e.getMessage()).startsWith("file").doesNotContainPattern("\\p{Cc}");
        }
    }

    private static String wrong(String checksum) {
        return (checksum.startsWith("0") ? "1" : "0") + checksum.substring(1);
    }

    private static Contents with(Contents contents, Map<String, String> metadata, String checksum) {
        Map<String, String> checked = new LinkedHashMap<>(metadata);
        checked.put(SnapshotFile.CHECKSUM, checksum);
        return new Contents(contents.file(), contents.tensors(), checked);
    }
}
