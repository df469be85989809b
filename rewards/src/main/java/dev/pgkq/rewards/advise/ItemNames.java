package dev.pgkq.rewards.advise;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.advise.Items;
import dev.pgkq.text.Excerpt;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The identifiers of items, by which their scores are found again. */
final class ItemNames {
    static final int LONGEST = 500;

    private ItemNames() {}

    /**
     * Checks identifiers that a caller gave.
     *
     * @throws AdviceRefused if there is not one for each item, or one is empty, too long or used twice
     */
    static void require(List<String> ids, Items items) {
        if (ids.size() != items.size()) {
            throw AdviceRefused.invalid("there are " + ids.size() + " ids for " + items.size()
                    + " items; give one for each, or none to let the features identify them");
        }
        Set<String> seen = new HashSet<>();
        for (String id : ids) {
            if (id.isBlank() || id.length() > LONGEST) {
                throw AdviceRefused.invalid(
                        "an id must have 1 to " + LONGEST + " characters, got '" + Excerpt.brief(id) + "'");
            }
            if (!seen.add(id)) {
                throw AdviceRefused.invalid(
                        "the id '" + Excerpt.brief(id) + "' is used for two items; ids must differ within a round");
            }
        }
    }

    /**
     * Identifiers by contents: the SHA-256 of an item's features, and {@code -2}, {@code -3} … for those that have the same as one
     * before, because each of them may be scored.
     */
    static List<String> ofContents(Items items) {
        MessageDigest hash = sha256();
        Map<String, Integer> seen = new HashMap<>();
        List<String> ids = new ArrayList<>(items.size());
        for (int item = 0; item < items.size(); item++) {
            int from = items.starts()[item] * items.width();
            int to = items.starts()[item + 1] * items.width();
            hash.update(ints(items.length(item), items.width()));
            hash.update(floats(items.features(), from, to));
            String id = HexFormat.of().formatHex(hash.digest());
            int count = seen.merge(id, 1, Integer::sum);
            ids.add(count == 1 ? id : id + "-" + count);
        }
        return ids;
    }

    /** By which a question that is asked again is recognized. */
    static String hash(String judge, Items items, List<String> ids) {
        MessageDigest hash = sha256();
        hash.update(judge.getBytes(UTF_8));
        hash.update(ints(items.size(), items.width(), items.projectionWidth()));
        hash.update(ints(items.starts()));
        hash.update(floats(items.features(), 0, items.features().length));
        hash.update(floats(items.projections(), 0, items.projections().length));
        for (String id : ids) {
            hash.update(id.getBytes(UTF_8));
            hash.update((byte) 0);
        }
        return HexFormat.of().formatHex(hash.digest());
    }

    private static ByteBuffer ints(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asIntBuffer().put(values);
        return bytes;
    }

    private static ByteBuffer floats(float[] values, int from, int to) {
        ByteBuffer bytes =
                ByteBuffer.allocate(Math.multiplyExact(to - from, Float.BYTES)).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asFloatBuffer().put(values, from, to - from);
        return bytes;
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
