package dev.pgkq.app.logged;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An array in NumPy's {@code .npy} format, whose header has been read and whose values follow:
 *
 * <pre>
 * 0x93 NUMPY      6 bytes
 * version         2 bytes: 1.0, 2.0 or 3.0
 * header length   little-endian, 2 bytes in version 1.0, otherwise 4
 * header          a Python dictionary: {'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), }
 * the rest        the values
 * </pre>
 *
 * Supports float32, float64 and integers, little-endian and in row-major order. The header is not trusted:
 * memory is allocated only for as many values as there are bytes, and at most {@link LoggedEpisodes#MAX_VALUES}.
 */
public final class NpyArray {
    static final byte MAGIC_BYTE = (byte) 0x93;
    private static final byte[] MAGIC = {MAGIC_BYTE, 'N', 'U', 'M', 'P', 'Y'};
    private static final int MAX_HEADER_BYTES = 1 << 16;
    private static final int BUFFER_BYTES = 1 << 16;

    private static final Pattern TYPE = Pattern.compile("['\"]descr['\"]\\s*:\\s*['\"]([^'\"]{0,50})['\"]");
    private static final Pattern ORDER = Pattern.compile("['\"]fortran_order['\"]\\s*:\\s*(True|False)");
    private static final Pattern SHAPE = Pattern.compile("['\"]shape['\"]\\s*:\\s*\\(([0-9L, ]*)\\)");

    private final String where;
    private final InputStream in;
    private final String type;
    private final int[] shape;
    private final int size;

    private NpyArray(String where, InputStream in, String type, int[] shape, int size) {
        this.where = where;
        this.in = in;
        this.type = type;
        this.shape = shape;
        this.size = size;
    }

    /**
     * Reads the header.
     *
     * @param where description of the array, for messages
     * @param in the array; positioned at its values afterwards
     * @param bytes size of header and values according to the archive
     * @throws UserException if the array is invalid or not supported
     */
    public static NpyArray open(String where, InputStream in, long bytes) throws IOException {
        byte[] start = in.readNBytes(MAGIC.length + 2);
        if (start.length < MAGIC.length + 2 || !Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new UserException(where + " is not in NumPy format");
        }
        int version = start[MAGIC.length];
        if (version < 1 || version > 3) {
            throw new UserException(where + " has version " + version + " of the NumPy format; supported are 1 to 3");
        }
        byte[] length = in.readNBytes(version == 1 ? Short.BYTES : Integer.BYTES);
        long headerLength = number(ByteBuffer.wrap(Arrays.copyOf(length, Long.BYTES)), Long.BYTES, false);
        if (headerLength > MAX_HEADER_BYTES) {
            throw new UserException(where + " is corrupt: its header has " + headerLength + " bytes");
        }
        byte[] header = in.readNBytes((int) headerLength);
        if (header.length < headerLength) {
            throw new UserException(where + " is corrupt: it ends within its header");
        }
        long left = bytes - start.length - length.length - header.length;
        return parse(where, in, new String(header, UTF_8), left);
    }

    private static NpyArray parse(String where, InputStream in, String header, long left) {
        Matcher type = TYPE.matcher(header);
        Matcher order = ORDER.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!type.find() && header.contains("descr")) {
            throw new UserException(where + " has a structured type; expected numbers: " + Excerpt.first(header));
        }
        if (!type.reset().find() || !order.find() || !shape.find()) {
            throw new UserException(
                    where + " has a header without descr, fortran_order or shape: " + Excerpt.first(header));
        }
        if (type.group(1).contains("O")) {
            throw new UserException(where + " contains Python objects, which are not supported because they can execute"
                    + " code; save numbers, with all episodes concatenated and their lengths");
        }
        int[] extents = shape(where, shape.group(1));
        if (order.group(1).equals("True") && extents.length > 1) {
            throw new UserException(
                    where + " is in column-major (Fortran) order; save numpy.ascontiguousarray(…) of it");
        }
        NpyArray array = new NpyArray(where, in, type.group(1), extents, size(where, extents));
        long expected = (long) array.size * array.bytesPerValue();
        if (expected != left) {
            throw new UserException(where + " is corrupt: shape " + array.shapeText() + " needs " + expected
                    + " bytes but has " + Math.max(0, left));
        }
        return array;
    }

    private static int[] shape(String where, String text) {
        String[] extents = text.isBlank() ? new String[0] : text.strip().split("\\s*,\\s*", -1);
        int count = extents.length > 0 && extents[extents.length - 1].isEmpty() ? extents.length - 1 : extents.length;
        int[] shape = new int[count];
        for (int i = 0; i < count; i++) {
            try {
                shape[i] = Integer.parseInt(extents[i].replaceFirst("L$", ""));
            } catch (NumberFormatException e) {
                throw new UserException(where + " has an unsupported shape (" + Excerpt.first(text) + ")", e);
            }
        }
        return shape;
    }

    private static int size(String where, int[] shape) {
        long size = 1;
        for (int extent : shape) {
            // no overflow: both factors are below 2^31
            size *= extent;
            if (size > LoggedEpisodes.MAX_VALUES) {
                throw new UserException(where + " has shape " + text(shape) + ", more than the maximum of "
                        + LoggedEpisodes.MAX_VALUES + " numbers; use fewer episodes");
            }
        }
        return (int) size;
    }

    /** The extent of each dimension. */
    public int[] shape() {
        return shape;
    }

    /** The shape in words. */
    public String shapeText() {
        return text(shape);
    }

    private static String text(int[] shape) {
        return Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining(" × ", "(", ")"));
    }

    private int bytesPerValue() {
        return switch (type.isEmpty() ? "" : type.substring(1)) {
            case "f4", "i4", "u4" -> Integer.BYTES;
            case "f8", "i8", "u8" -> Long.BYTES;
            case "i2", "u2" -> Short.BYTES;
            case "i1", "u1" -> 1;
            default -> throw unsupportedType();
        };
    }

    private UserException unsupportedType() {
        return new UserException(where + " has the unsupported type '" + Excerpt.first(type)
                + "'; supported are float32, float64 and integers; convert it with .astype(\"float32\") or"
                + " .astype(\"int64\")");
    }

    private void requireType(String kinds) {
        if (type.startsWith(">")) {
            throw new UserException(
                    where + " is big-endian ('" + type + "'); convert it with .astype(\"<" + type.substring(1) + "\")");
        }
        if ((type.charAt(0) != '<' && type.charAt(0) != '|') || kinds.indexOf(type.charAt(1)) < 0) {
            throw unsupportedType();
        }
    }

    /** Reads all values as floats; to be called once. */
    public float[] floats() throws IOException {
        requireType("fiu");
        float[] values = new float[size];
        int width = bytesPerValue();
        switch (type.substring(1)) {
            case "f4" -> forBlocks((from, count, bytes) -> bytes.asFloatBuffer().get(values, from, count));
            case "f8" -> forEach((i, bytes) -> values[i] = (float) bytes.getDouble());
            default -> forEach((i, bytes) -> values[i] = (float) number(bytes, width, type.charAt(1) == 'i'));
        }
        return values;
    }

    /** Reads all values, which must be non-negative integers. */
    int[] counts() throws IOException {
        requireType("iu");
        int[] values = new int[size];
        boolean signed = type.charAt(1) == 'i';
        forEach((i, bytes) -> {
            long value = number(bytes, bytesPerValue(), signed);
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw new UserException(where + " has " + value + " at index " + i + "; expected a number of steps");
            }
            values[i] = (int) value;
        });
        return values;
    }

    /** Reads a little-endian integer of some bytes; one that exceeds a long becomes negative. */
    private static long number(ByteBuffer from, int bytes, boolean signed) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (from.get() & 0xFFL) << (Byte.SIZE * i);
        }
        int unused = Long.SIZE - Byte.SIZE * bytes;
        return signed ? value << unused >> unused : value;
    }

    @FunctionalInterface
    private interface ValueConsumer {
        void accept(int index, ByteBuffer bytes);
    }

    /** Receives values that follow each other. */
    @FunctionalInterface
    private interface BlockConsumer {
        void accept(int from, int count, ByteBuffer bytes);
    }

    private void forEach(ValueConsumer consumer) throws IOException {
        forBlocks((from, count, bytes) -> {
            for (int i = from; i < from + count; i++) {
                consumer.accept(i, bytes);
            }
        });
    }

    private void forBlocks(BlockConsumer consumer) throws IOException {
        int each = bytesPerValue();
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int from = 0; from < size; from += BUFFER_BYTES / each) {
            int count = Math.min(BUFFER_BYTES / each, size - from);
            if (in.readNBytes(buffer.array(), 0, count * each) < count * each) {
                throw new UserException(where + " is corrupt: it ends within its values");
            }
            buffer.clear();
            consumer.accept(from, count, buffer);
        }
    }
}
