package dev.pgkq.rewards.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Predicate;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes named float32 arrays in the safetensors format, which other tools read, too.
 *
 * <pre>
 * 8 bytes         length of the header, little-endian
 * header          JSON: name → {"dtype": "F32", "shape": […], "data_offsets": [begin, end]}, and "__metadata__": strings;
 *                 padded with spaces to a multiple of 8
 * the rest        the arrays, row-major, little-endian; offsets count from here; no gaps, no overlaps
 * </pre>
 *
 * A damaged checkpoint must not load as other numbers, so reading checks all of this.
 */
public final class Safetensors {
    static final String METADATA = "__metadata__";
    static final int PREFIX = Long.BYTES;
    private static final int CHUNK = 1 << 16;
    private static final ValueLayout.OfFloat FLOAT =
            ValueLayout.JAVA_FLOAT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final JsonMapper JSON = new JsonMapper();

    private Safetensors() {}

    /** The contents of {@code file}, in the order of its data. */
    public record Contents(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        public Contents {
            tensors = Collections.unmodifiableMap(new LinkedHashMap<>(tensors));
            metadata = Collections.unmodifiableMap(new LinkedHashMap<>(metadata));
        }

        /**
         * The tensor of this name.
         *
         * @throws UserException if there is none, or it has another shape
         */
        public Tensor tensor(String name, int... shape) {
            Tensor tensor = tensors.get(name);
            if (tensor == null) {
                throw new UserException(file + ": there is no tensor \"" + name + "\"");
            }
            if (!Arrays.equals(tensor.shape(), shape)) {
                throw new UserException(file + ": the tensor \"" + name + "\" has the shape "
                        + Arrays.toString(tensor.shape()) + " instead of " + Arrays.toString(shape));
            }
            return tensor;
        }
    }

    /** Replaces {@code file} atomically. */
    public static void write(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        WholeFile.replace(file, contents(tensors, metadata));
    }

    /** Replaces {@code file} atomically, without waiting until it is on disk. */
    public static void writeSoon(Path file, Map<String, Tensor> tensors, Map<String, String> metadata) {
        WholeFile.replaceSoon(file, contents(tensors, metadata));
    }

    private static WholeFile.Contents contents(Map<String, Tensor> tensors, Map<String, String> metadata) {
        byte[] header = header(tensors, metadata);
        return channel -> {
            ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
            drain(buffer.putLong(header.length), channel);
            WholeFile.writeFully(ByteBuffer.wrap(header), channel);
            for (Tensor tensor : tensors.values()) {
                for (float value : tensor.values()) {
                    if (buffer.remaining() < Float.BYTES) {
                        drain(buffer, channel);
                    }
                    buffer.putFloat(value);
                }
            }
            drain(buffer, channel);
        };
    }

    /**
     * Reads a file of float32 tensors.
     *
     * @throws UserException if the file cannot be read or is invalid
     */
    public static Contents read(Path file) {
        return read(file, name -> true);
    }

    /** Reads only tensors whose names satisfy the condition. */
    public static Contents read(Path file, Predicate<String> wanted) {
        try (FileChannel channel = open(file);
                Arena arena = Arena.ofConfined()) {
            return read(file, channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size(), arena), wanted);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private static FileChannel open(Path file) throws IOException {
        BoundedFile.require(file, Long.MAX_VALUE);
        return FileChannel.open(file);
    }

    /** Reads tensors from the contents of {@code file}, which is used in error messages only. */
    public static Contents read(Path file, MemorySegment all, Predicate<String> wanted) {
        SafetensorsHeader header = SafetensorsHeader.parse(file, all, LONG);
        Map<String, Tensor> tensors =
                LinkedHashMap.newLinkedHashMap(header.entries().size());
        for (SafetensorsHeader.Entry entry : header.entries()) {
            if (wanted.test(entry.name())) {
                float[] values = new float[entry.size()];
                MemorySegment.copy(all, FLOAT, header.dataStart() + entry.begin(), values, 0, values.length);
                tensors.put(entry.name(), new Tensor(entry.shape(), values));
            }
        }
        return new Contents(file, tensors, header.metadata());
    }

    private static byte[] header(Map<String, Tensor> tensors, Map<String, String> metadata) {
        ObjectNode root = JSON.createObjectNode();
        if (!metadata.isEmpty()) {
            ObjectNode strings = root.putObject(METADATA);
            metadata.forEach(strings::put);
        }
        long offset = 0;
        for (Map.Entry<String, Tensor> named : tensors.entrySet()) {
            if (named.getKey().equals(METADATA)) {
                throw new IllegalArgumentException("a tensor must not be called " + METADATA);
            }
            long end = offset + (long) Float.BYTES * named.getValue().values().length;
            ObjectNode entry = root.putObject(named.getKey());
            entry.put("dtype", "F32");
            ArrayNode shape = entry.putArray("shape");
            for (int extent : named.getValue().shape()) {
                shape.add(extent);
            }
            entry.putArray("data_offsets").add(offset).add(end);
            offset = end;
        }
        byte[] json = JSON.writeValueAsString(root).getBytes(UTF_8);
        byte[] padded = Arrays.copyOf(json, (json.length + 7) / 8 * 8);
        Arrays.fill(padded, json.length, padded.length, (byte) ' ');
        return padded;
    }

    private static void drain(ByteBuffer buffer, FileChannel channel) throws IOException {
        WholeFile.writeFully(buffer.flip(), channel);
        buffer.clear();
    }
}
