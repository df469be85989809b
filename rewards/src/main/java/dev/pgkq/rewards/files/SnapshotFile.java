package dev.pgkq.rewards.files;

import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/**
 * A {@link Snapshot} in the safetensors format: its tensors, and as metadata its attributes, its counters with the prefix
 * {@code counter/}, and a checksum over all of it, so that damage is noticed.
 */
public final class SnapshotFile {
    /** The metadata entry of the checksum. */
    public static final String CHECKSUM = "crc32c";

    private static final String COUNTER = "counter/";

    private SnapshotFile() {}

    /**
     * The metadata of a snapshot, with the checksum.
     *
     * @param more further entries
     */
    public static Map<String, String> metadata(Snapshot snapshot, Map<String, String> more) {
        Map<String, String> metadata = new TreeMap<>(snapshot.attributes());
        metadata.putAll(more);
        snapshot.counters().forEach((name, value) -> metadata.put(COUNTER + name, Long.toString(value)));
        metadata.put(CHECKSUM, checksum(snapshot.tensors(), metadata));
        return metadata;
    }

    /** Whether the checksum matches the contents. */
    public static boolean isIntact(Safetensors.Contents contents) {
        Map<String, String> covered = new TreeMap<>(contents.metadata());
        String checksum = covered.remove(CHECKSUM);
        return checksum(contents.tensors(), covered).equals(checksum);
    }

    /**
     * The snapshot in a file.
     *
     * @param more names of entries that are not part of it
     * @throws UserException if a counter is not a number
     */
    public static Snapshot snapshot(Safetensors.Contents contents, Set<String> more) {
        Map<String, Long> counters = new LinkedHashMap<>();
        Map<String, String> attributes = new LinkedHashMap<>(contents.metadata());
        attributes.keySet().removeAll(more);
        attributes.remove(CHECKSUM);
        attributes.keySet().removeIf(name -> name.startsWith(COUNTER));
        for (Map.Entry<String, String> entry : contents.metadata().entrySet()) {
            if (entry.getKey().startsWith(COUNTER)) {
                try {
                    counters.put(entry.getKey().substring(COUNTER.length()), Long.valueOf(entry.getValue()));
                } catch (NumberFormatException e) {
                    throw new UserException(
                            contents.file() + ": '" + Excerpt.first(entry.getKey()) + "' is not a number", e);
                }
            }
        }
        return new Snapshot(contents.tensors(), counters, attributes);
    }

    /** The checksum over tensors and metadata: counters first, then the other entries, then the tensors. */
    public static String checksum(Map<String, Tensor> tensors, Map<String, String> metadata) {
        CRC32C checksum = new CRC32C();
        Map<String, String> counters = new TreeMap<>();
        Map<String, String> others = new TreeMap<>();
        metadata.forEach((name, value) -> {
            if (name.startsWith(COUNTER)) {
                counters.put(name.substring(COUNTER.length()), value);
            } else {
                others.put(name, value);
            }
        });
        counters.forEach((name, value) -> update(checksum, name + "=" + value + "\n"));
        others.forEach((name, value) -> update(checksum, name + "=" + value + "\n"));
        new TreeMap<>(tensors).forEach((name, tensor) -> {
            update(checksum, name + Arrays.toString(tensor.shape()));
            ByteBuffer bytes = ByteBuffer.allocate(tensor.values().length * Float.BYTES);
            bytes.asFloatBuffer().put(tensor.values());
            checksum.update(bytes);
        });
        return HexFormat.of().toHexDigits((int) checksum.getValue());
    }

    private static void update(CRC32C checksum, String text) {
        checksum.update(text.getBytes(StandardCharsets.UTF_8));
    }
}
