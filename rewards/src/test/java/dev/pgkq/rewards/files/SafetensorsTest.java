package dev.pgkq.rewards.files;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.files.Safetensors.Contents;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SafetensorsTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("checkpoint.safetensors");
    }

    @Test
    void whatIsWrittenIsReadBackBitForBit() {
        float[] awkward = {0f, -0f, Float.MIN_VALUE, Float.MAX_VALUE, Float.NaN, Float.POSITIVE_INFINITY, 0.1f, -1e-20f
        };
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        tensors.put("z last name, first place", Tensor.of(awkward, 2, 2, 2));
        tensors.put("a", Tensor.of(new float[] {42}));
        tensors.put("none", Tensor.of(new float[0], 3, 0));
        Map<String, String> metadata = Map.of("iteration", "7", "note", "ü \"quoted\"\n");

        Safetensors.write(file(), tensors, metadata);
        Contents contents = Safetensors.read(file());

        assertThat(contents.metadata()).isEqualTo(metadata);
        assertThat(contents.tensors()).containsOnlyKeys(tensors.keySet());
        tensors.forEach((name, tensor) -> {
            Tensor read = contents.tensor(name, tensor.shape());
            assertThat(bits(read.values())).isEqualTo(bits(tensor.values()));
        });
    }

    @Test
    void moreThanOneBufferFulIsReadBack() {
        float[] many = new float[100_003];
        for (int i = 0; i < many.length; i++) {
            many[i] = i;
        }

        Safetensors.write(file(), Map.of("many", Tensor.of(many, many.length)), Map.of());

        assertThat(Safetensors.read(file()).tensor("many", many.length).values())
                .isEqualTo(many);
    }

    @Test
    void theDataStartsAtAMultipleOfEightBytes() throws IOException {
        for (int length = 1; length <= 9; length++) {
            Safetensors.write(file(), Map.of("x".repeat(length), Tensor.of(new float[] {1}, 1)), Map.of());
            ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file())).order(ByteOrder.LITTLE_ENDIAN);
            assertThat(bytes.getLong(0) % 8).isZero();
            assertThat(bytes.getFloat((int) (8 + bytes.getLong(0)))).isEqualTo(1);
        }
    }

    /** Made with Python's safetensors and numpy: save_file({…}, metadata={"iteration": "12", "made by": "numpy ü"}). */
    @Test
    void aFileFromPythonIsRead() throws IOException {
        try (InputStream stream = SafetensorsTest.class.getResourceAsStream("numpy.safetensors")) {
            assertThat(stream).isNotNull();
            Files.write(file(), stream.readAllBytes());
        }

        Contents contents = Safetensors.read(file());

        assertThat(contents.metadata()).isEqualTo(Map.of("iteration", "12", "made by", "numpy ü"));
        assertThat(contents.tensors()).containsOnlyKeys("policy.weight0", "log_std", "empty", "bias");
        assertThat(contents.tensor("policy.weight0", 2, 3).values())
                .containsExactly(1.5f, -2.25f, 0.1f, Float.POSITIVE_INFINITY, 1e-40f, -0f);
        assertThat(contents.tensor("log_std").values()).containsExactly(-0.5f);
        assertThat(contents.tensor("empty", 0, 4).values()).isEmpty();
        assertThat(contents.tensor("bias", 5).values()).containsExactly(0, 1, 2, 3, 4);
    }

    @Test
    void aMissingTensorOrAnotherShapeIsNamed() {
        Safetensors.write(file(), Map.of("w", Tensor.of(new float[6], 2, 3)), Map.of());
        Contents contents = Safetensors.read(file());

        assertThatThrownBy(() -> contents.tensor("w", 3, 2))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(file().toString(), "\"w\"", "[2, 3]", "[3, 2]");
        assertThatThrownBy(() -> contents.tensor("v", 3))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("no tensor \"v\"");
    }

    @Test
    void everyTruncationIsNoticed() throws IOException {
        Safetensors.write(file(), Map.of("w", Tensor.of(new float[] {1, 2, 3}, 3)), Map.of("k", "v"));
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length < whole.length; length++) {
            Files.write(file(), Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> Safetensors.read(file()))
                    .as("%d of %d bytes", length, whole.length)
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining(file().toString());
        }
        Files.write(file(), Arrays.copyOf(whole, whole.length + 1));
        assertBroken("1 bytes after its last tensor");
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, 100_000_001, Long.MAX_VALUE})
    void anAbsurdHeaderLengthIsNotAllocated(long length) throws IOException {
        Files.write(
                file(),
                ByteBuffer.allocate(64)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(length)
                        .array());
        assertBroken("header would be " + Long.toUnsignedString(length));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|8|not a JSON object",
                "{\"a\"|8|not JSON",
                "{\"a\":1}|8|dtype",
                "{\"a\":{\"dtype\":\"F64\",\"shape\":[1],\"data_offsets\":[0,8]}}|8|\"F64\"",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[-2],\"data_offsets\":[0,8]}}|8|no valid shape",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2.5],\"data_offsets\":[0,8]}}|8|no valid shape",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":2,\"data_offsets\":[0,8]}}|8|no valid shape",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0]}}|8|no valid data_offsets",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,0]}}|8|no valid data_offsets",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[3],\"data_offsets\":[0,8]}}|8|requires 12 bytes",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[4294967296,4294967296],\"data_offsets\":[0,0]}}|0|too large",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[65536,65536],\"data_offsets\":[0,0]}}|0|too large",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[4,12]}}|8|beyond the 8 bytes",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}|8|starts at 4",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                        + "\"b\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,8]}}|8|within the previous one",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}|8|4 bytes after its last tensor",
                "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
                        + "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}}|8|Duplicate",
                "{\"__metadata__\":{\"k\":1}}|0|not a string",
                "{\"__metadata__\":3}|0|not a JSON object",
            })
    void aHeaderThatDoesNotFitIsRefused(String header, int dataLength, String complaint) throws IOException {
        byte[] text = header.getBytes(UTF_8);
        Files.write(
                file(),
                ByteBuffer.allocate(8 + text.length + dataLength)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(text.length)
                        .put(text)
                        .array());
        assertBroken(complaint);
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> Safetensors.read(folder.resolve("none")))
                .isInstanceOf(UserException.class)
                .hasMessage("cannot read " + folder.resolve("none") + ": it does not exist");
    }

    private void assertBroken(String complaint) {
        assertThatThrownBy(() -> Safetensors.read(file()))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(file().toString(), "not a valid safetensors file", complaint);
    }

    private static int[] bits(float[] values) {
        int[] bits = new int[values.length];
        for (int i = 0; i < bits.length; i++) {
            bits[i] = Float.floatToRawIntBits(values[i]);
        }
        return bits;
    }
}
