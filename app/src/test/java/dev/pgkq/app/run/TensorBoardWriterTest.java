package dev.pgkq.app.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the files back with an independent parser: bytes to records to fields, with a bit-by-bit CRC-32C. */
class TensorBoardWriterTest {
    private static final Clock CLOCK = Clock.fixed(Instant.ofEpochSecond(1_700_000_000), ZoneOffset.UTC);

    /** The values of a message by the numbers of their fields. */
    record Message(Map<Integer, List<Object>> fields) {
        List<Object> all(int field) {
            return fields.getOrDefault(field, List.of());
        }
    }

    @TempDir
    Path folder;

    @Test
    void theChecksumOfThisTestIsCrc32c() {
        // The check value of CRC-32C, and 32 zero bytes from RFC 3720, B.4.
        assertThat(crc32c("123456789".getBytes(UTF_8))).isEqualTo(0xe3069283);
        assertThat(crc32c(new byte[32])).isEqualTo(0x8a9136aa);
    }

    @Test
    void aFileStartsWithItsVersionAndHoldsTheScalars() throws IOException {
        Map<String, Double> scalars = new LinkedHashMap<>();
        scalars.put("return/mean", -1234.5);
        scalars.put("länge", 1e-3);
        try (TensorBoardWriter writer = TensorBoardWriter.open(folder, CLOCK)) {
            writer.scalars(300, 1_700_000_001.25, scalars);
            writer.scalars(5_000_000_000L, 1_700_000_002.0, Map.of("x", Double.NaN));
        }

        List<Message> events =
                records(onlyFile()).stream().map(TensorBoardWriterTest::fields).toList();

        assertThat(events).hasSize(3);
        assertThat(text(events.getFirst().all(3).getFirst())).isEqualTo("brain.Event:2");
        assertThat(events.get(1).all(1)).containsExactly(Double.doubleToLongBits(1_700_000_001.25));
        assertThat(events.get(1).all(2)).containsExactly(300L);
        assertThat(values(events.get(1)))
                .containsExactly(Map.entry("return/mean", -1234.5f), Map.entry("länge", 1e-3f));
        assertThat(events.get(2).all(2)).containsExactly(5_000_000_000L);
        assertThat(values(events.get(2))).containsExactly(Map.entry("x", Float.NaN));
    }

    @Test
    void aResumedRunStartsANewFileWithASessionStart() throws IOException {
        TensorBoardWriter.open(folder, CLOCK).close();
        try (TensorBoardWriter writer = TensorBoardWriter.open(folder, CLOCK)) {
            writer.resumeAt(40, 1_700_000_000.0);
        }

        try (Stream<Path> files = Files.list(folder).sorted()) {
            List<Path> both = files.toList();
            assertThat(both).hasSize(2);
            Message start = fields(records(both.get(1)).get(1));
            assertThat(start.all(2)).containsExactly(40L);
            assertThat(fields((byte[]) start.all(7).getFirst()).all(1)).containsExactly(1L);
        }
    }

    private Path onlyFile() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> all = files.toList();
            assertThat(all).hasSize(1);
            assertThat(all.getFirst().getFileName().toString()).startsWith("events.out.tfevents.1700000000.");
            return all.getFirst();
        }
    }

    private static List<byte[]> records(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        List<byte[]> records = new ArrayList<>();
        while (bytes.hasRemaining()) {
            byte[] length = new byte[8];
            bytes.get(bytes.position(), length);
            byte[] data = new byte[(int) bytes.getLong()];
            assertThat(bytes.getInt()).isEqualTo(masked(length));
            bytes.get(data);
            assertThat(bytes.getInt()).isEqualTo(masked(data));
            records.add(data);
        }
        return records;
    }

    private static Message fields(byte[] message) {
        ByteBuffer bytes = ByteBuffer.wrap(message).order(ByteOrder.LITTLE_ENDIAN);
        Map<Integer, List<Object>> fields = new LinkedHashMap<>();
        while (bytes.hasRemaining()) {
            int key = (int) varint(bytes);
            Object value = switch (key & 7) {
                case 0 -> varint(bytes);
                case 1 -> bytes.getLong();
                case 5 -> bytes.getInt();
                case 2 -> {
                    byte[] content = new byte[(int) varint(bytes)];
                    bytes.get(content);
                    yield content;
                }
                default -> throw new AssertionError("wire type " + (key & 7));
            };
            fields.computeIfAbsent(key >>> 3, _ -> new ArrayList<>()).add(value);
        }
        return new Message(fields);
    }

    private static long varint(ByteBuffer bytes) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = bytes.get();
            value |= (next & 0x7fL) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    private static Map<String, Float> values(Message event) {
        Map<String, Float> values = new LinkedHashMap<>();
        for (Object value : fields((byte[]) event.all(5).getFirst()).all(1)) {
            Message parts = fields((byte[]) value);
            values.put(text(parts.all(1).getFirst()), Float.intBitsToFloat((Integer)
                    parts.all(2).getFirst()));
        }
        return values;
    }

    private static String text(Object bytes) {
        return new String((byte[]) bytes, UTF_8);
    }

    private static int masked(byte[] bytes) {
        int crc = crc32c(bytes);
        return ((crc >>> 15) | (crc << 17)) + 0xa282ead8;
    }

    private static int crc32c(byte[] bytes) {
        int crc = -1;
        for (byte b : bytes) {
            crc ^= b & 0xff;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc >>> 1) ^ ((crc & 1) == 0 ? 0 : 0x82f63b78);
            }
        }
        return ~crc;
    }
}
