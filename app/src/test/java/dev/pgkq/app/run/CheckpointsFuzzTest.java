package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Contents;
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
    @FuzzTest(maxDuration = "60s")
    void anyBytes(byte[] bytes) {
        try {
            Contents contents = Safetensors.read(Path.of("file"), MemorySegment.ofArray(bytes), name -> true);
            contents.tensors()
                    .forEach((name, tensor) ->
                            assertThat(tensor.values()).hasSizeLessThanOrEqualTo(bytes.length / Float.BYTES));
            String checksum = Checkpoints.checksum(Checkpoints.snapshot(contents));
            if (!checksum.equals(contents.metadata().get(Checkpoints.CHECKSUM))) {
                assertThatThrownBy(() -> Checkpoints.saved(contents)).isInstanceOf(UserException.class);
            }
            Checkpoints.Saved saved = Checkpoints.saved(withChecksum(contents, checksum));
            assertThat(saved.snapshot().iteration()).isNotNegative();
            assertThat(saved.snapshot().tensors()).hasSameSizeAs(contents.tensors());
        } catch (UserException e) {
            assertThat(e.getMessage()).startsWith("file").doesNotContainPattern("\\p{Cc}");
        }
    }

    private static Contents withChecksum(Contents contents, String checksum) {
        Map<String, String> metadata = new LinkedHashMap<>(contents.metadata());
        metadata.put(Checkpoints.CHECKSUM, checksum);
        metadata.put(Checkpoints.FORMAT, "2");
        return new Contents(contents.file(), contents.tensors(), metadata);
    }
}
