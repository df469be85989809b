package dev.pgkq.rewards.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The header of a safetensors file, checked against the file it came from. */
record SafetensorsHeader(List<Entry> entries, Map<String, String> metadata, long dataStart) {
    /** As in the reference implementation: a longer header indicates a damaged length. */
    private static final long LONGEST = 100_000_000;

    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    @SuppressWarnings("ArrayRecordComponent")
    record Entry(String name, int[] shape, long begin, long end) {
        int size() {
            return (int) ((end - begin) / Float.BYTES);
        }
    }

    static SafetensorsHeader parse(Path file, MemorySegment all, ValueLayout.OfLong littleEndian) {
        if (all.byteSize() < Safetensors.PREFIX) {
            throw broken(file, "it has only " + all.byteSize() + " bytes");
        }
        long length = all.get(littleEndian, 0);
        if (length < 0 || length > LONGEST) {
            throw broken(file, "its header would be " + Long.toUnsignedString(length) + " bytes long");
        }
        if (length > all.byteSize() - Safetensors.PREFIX) {
            throw broken(
                    file,
                    "it ends within its header, which is " + length + " bytes long; the file is " + all.byteSize());
        }
        byte[] text = all.asSlice(Safetensors.PREFIX, length).toArray(ValueLayout.JAVA_BYTE);
        JsonNode root = json(file, new String(text, UTF_8));
        long dataStart = Safetensors.PREFIX + length;
        Map<String, String> metadata = new LinkedHashMap<>();
        List<Entry> entries = new ArrayList<>();
        for (Map.Entry<String, JsonNode> field : root.properties()) {
            if (field.getKey().equals(Safetensors.METADATA)) {
                metadata.putAll(metadata(file, field.getValue()));
            } else {
                entries.add(entry(file, field.getKey(), field.getValue()));
            }
        }
        entries.sort(Comparator.comparingLong(Entry::begin).thenComparingLong(Entry::end));
        checkLayout(file, entries, all.byteSize() - dataStart);
        return new SafetensorsHeader(entries, metadata, dataStart);
    }

    private static JsonNode json(Path file, String text) {
        try {
            JsonNode root = JSON.readTree(text);
            if (!root.isObject()) {
                throw broken(file, "its header is not a JSON object");
            }
            return root;
        } catch (JacksonException e) {
            throw broken(file, "its header is not JSON (" + e.getOriginalMessage() + ")");
        }
    }

    private static Map<String, String> metadata(Path file, JsonNode node) {
        Map<String, String> strings = new LinkedHashMap<>();
        if (!node.isObject()) {
            throw broken(file, Safetensors.METADATA + " is not a JSON object");
        }
        for (Map.Entry<String, JsonNode> field : node.properties()) {
            if (!field.getValue().isString()) {
                throw broken(file, "\"" + field.getKey() + "\" in " + Safetensors.METADATA + " is not a string");
            }
            strings.put(field.getKey(), field.getValue().stringValue());
        }
        return strings;
    }

    private static Entry entry(Path file, String name, JsonNode node) {
        String where = "the tensor \"" + name + "\"";
        JsonNode type = node.path("dtype");
        if (!type.isString() || !type.stringValue().equals("F32")) {
            throw broken(file, where + " has the dtype " + type + "; only \"F32\" is supported");
        }
        long[] extents = longs(file, where + " has no valid shape", node.path("shape"));
        long[] offsets = longs(file, where + " has no valid data_offsets", node.path("data_offsets"));
        if (offsets.length != 2 || offsets[1] < offsets[0]) {
            throw broken(file, where + " has no valid data_offsets: " + node.path("data_offsets"));
        }
        int[] shape = new int[extents.length];
        long size = 1;
        for (int i = 0; i < shape.length; i++) {
            shape[i] = (int) Math.min(extents[i], Integer.MAX_VALUE);
            // Stays in range: both factors are at most 2^31, because a larger product is rejected at once.
            size *= shape[i];
            if (shape[i] != extents[i] || size > Integer.MAX_VALUE) {
                throw broken(file, where + " is too large: its shape is " + node.path("shape"));
            }
        }
        if (size * Float.BYTES != offsets[1] - offsets[0]) {
            throw broken(
                    file,
                    where + " of shape " + node.path("shape") + " requires " + size * Float.BYTES
                            + " bytes, but its data_offsets are " + node.path("data_offsets"));
        }
        return new Entry(name, shape, offsets[0], offsets[1]);
    }

    private static long[] longs(Path file, String complaint, JsonNode node) {
        if (!node.isArray()) {
            throw broken(file, complaint);
        }
        long[] values = new long[node.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = node.path(i);
            if (!value.isIntegralNumber() || !value.canConvertToLong() || value.longValue() < 0) {
                throw broken(file, complaint + ": " + node);
            }
            values[i] = value.longValue();
        }
        return values;
    }

    /** The tensors, in order, must cover the data exactly. */
    private static void checkLayout(Path file, List<Entry> inOrder, long dataLength) {
        long expected = 0;
        for (Entry entry : inOrder) {
            String where = "the tensor \"" + entry.name() + "\"";
            if (entry.end() > dataLength) {
                throw broken(file, where + " ends at " + entry.end() + ", beyond the " + dataLength + " bytes of data");
            }
            if (entry.begin() != expected) {
                throw broken(
                        file,
                        where + " starts at " + entry.begin() + ", "
                                + (entry.begin() < expected
                                        ? "within the previous one, which ends"
                                        : "but the previous one ends")
                                + " at " + expected);
            }
            expected = entry.end();
        }
        if (expected != dataLength) {
            throw broken(file, "it has " + (dataLength - expected) + " bytes after its last tensor");
        }
    }

    private static UserException broken(Path file, String what) {
        return new UserException(file + " is not a valid safetensors file: " + Excerpt.first(what));
    }
}
