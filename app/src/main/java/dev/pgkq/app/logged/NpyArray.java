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
 * An array in NumPy's {@code .npy} format, of which the header was read and the values follow:
 *
 * <pre>
 * 0x93 NUMPY      6 bytes
 * version         2 bytes: 1.0, 2.0 or 3.0
 * header length   little-endian, 2 bytes in version 1.0, 4 after it
 * header          a Python dictionary: {'descr': '&lt;f4', 'fortran_order': False, 'shape': (3, 4), }
 * the rest        the values
 * </pre>
 *
 * Read are float32 and float64, and whole numbers where something is counted, little-endian and row by row. Whoever wrote the
 * file may lie in the header: memory is taken only for as many values as there are bytes, and no more than
 * {@link LoggedEpisodes#MOST_VALUES}.
 */
final class NpyArray {
    static final byte MAGIC_BYTE = (byte) 0x93;
    private static final byte[] MAGIC = {MAGIC_BYTE, 'N', 'U', 'M', 'P', 'Y'};
    private static final int LONGEST_HEADER = 1 << 16;
    private static final int CHUNK = 1 << 16;

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
     * @param where the array in words, for messages
     * @param in the values follow there
     * @param bytes of header and values together, as the archive tells
     * @throws UserException if it cannot be read or is of a kind that is not read here
     */
    static NpyArray open(String where, InputStream in, long bytes) throws IOException {
        byte[] start = in.readNBytes(MAGIC.length + 2);
        if (start.length < MAGIC.length + 2 || !Arrays.equals(start, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new UserException(where + " is not in NumPy's format");
        }
        int version = start[MAGIC.length];
        if (version < 1 || version > 3) {
            throw new UserException(
                    where + " is of version " + version + " of NumPy's format, and only 1 to 3 are known");
        }
        byte[] length = in.readNBytes(version == 1 ? Short.BYTES : Integer.BYTES);
        long headerLength = number(ByteBuffer.wrap(Arrays.copyOf(length, Long.BYTES)), Long.BYTES, false);
        if (headerLength > LONGEST_HEADER) {
            throw new UserException(where + " has a header of " + headerLength + " bytes: it is damaged");
        }
        byte[] header = in.readNBytes((int) headerLength);
        if (header.length < headerLength) {
            throw new UserException(where + " ends within its header");
        }
        long left = bytes - start.length - length.length - header.length;
        return described(where, in, new String(header, UTF_8), left);
    }

    private static NpyArray described(String where, InputStream in, String header, long left) {
        Matcher type = TYPE.matcher(header);
        Matcher order = ORDER.matcher(header);
        Matcher shape = SHAPE.matcher(header);
        if (!type.find() && header.contains("descr")) {
            throw new UserException(
                    where + " has a type made of several, and should hold numbers: " + Excerpt.first(header));
        }
        if (!type.reset().find() || !order.find() || !shape.find()) {
            throw new UserException(
                    where + " has a header without descr, fortran_order or shape: " + Excerpt.first(header));
        }
        if (type.group(1).contains("O")) {
            throw new UserException(where + " holds Python objects, which are not read, for they can bring programs"
                    + " along: save numbers, all episodes one after the other with their lengths");
        }
        int[] extents = shape(where, shape.group(1));
        if (order.group(1).equals("True") && extents.length > 1) {
            throw new UserException(
                    where + " is stored column by column (Fortran order): save numpy.ascontiguousarray(…) of it");
        }
        NpyArray array = new NpyArray(where, in, type.group(1), extents, size(where, extents));
        long expected = (long) array.size * array.bytesOfValue();
        if (expected != left) {
            throw new UserException(where + " of the shape " + array.shapeText() + " needs " + expected
                    + " bytes and has " + Math.max(0, left) + ": it is damaged");
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
                throw new UserException(where + " has the shape (" + Excerpt.first(text) + "), which is not read", e);
            }
        }
        return shape;
    }

    private static int size(String where, int[] shape) {
        long size = 1;
        for (int extent : shape) {
            // Stays in range: both factors are below 2^31.
            size *= extent;
            if (size > LoggedEpisodes.MOST_VALUES) {
                throw new UserException(where + " has the shape " + text(shape) + ", and at most "
                        + LoggedEpisodes.MOST_VALUES + " numbers are read: take a part of the episodes");
            }
        }
        return (int) size;
    }

    int[] shape() {
        return shape;
    }

    String shapeText() {
        return text(shape);
    }

    private static String text(int[] shape) {
        return Arrays.stream(shape).mapToObj(Integer::toString).collect(Collectors.joining(" × ", "(", ")"));
    }

    private int bytesOfValue() {
        return switch (type.isEmpty() ? "" : type.substring(1)) {
            case "f4", "i4", "u4" -> Integer.BYTES;
            case "f8", "i8", "u8" -> Long.BYTES;
            case "i2", "u2" -> Short.BYTES;
            case "i1", "u1" -> 1;
            default -> throw wrongType();
        };
    }

    private UserException wrongType() {
        return new UserException(where + " has the type '" + Excerpt.first(type)
                + "': read are float32 and float64, and whole numbers for lengths and starts; .astype(\"float32\") or"
                + " .astype(\"int64\") converts it");
    }

    private void requireType(String kinds) {
        if (type.startsWith(">")) {
            throw new UserException(
                    where + " is big-endian ('" + type + "'): .astype(\"<" + type.substring(1) + "\") converts it");
        }
        if ((type.charAt(0) != '<' && type.charAt(0) != '|') || kinds.indexOf(type.charAt(1)) < 0) {
            throw wrongType();
        }
    }

    /** All values, as floats. */
    float[] floats() throws IOException {
        requireType("f");
        float[] values = new float[size];
        boolean wide = bytesOfValue() == Double.BYTES;
        forEach((i, bytes) -> values[i] = wide ? (float) bytes.getDouble() : bytes.getFloat());
        return values;
    }

    /** All values, which must be whole numbers from 0. */
    int[] counts() throws IOException {
        requireType("iu");
        int[] values = new int[size];
        boolean signed = type.charAt(1) == 'i';
        forEach((i, bytes) -> {
            long value = number(bytes, bytesOfValue(), signed);
            if (value < 0 || value > Integer.MAX_VALUE) {
                throw new UserException(where + " has " + value + " in place " + i + ": it should count steps");
            }
            values[i] = (int) value;
        });
        return values;
    }

    /** The next so many bytes as a whole number, little-endian; what does not fit a long is negative. */
    private static long number(ByteBuffer from, int bytes, boolean signed) {
        long value = 0;
        for (int i = 0; i < bytes; i++) {
            value |= (from.get() & 0xFFL) << (Byte.SIZE * i);
        }
        int unused = Long.SIZE - Byte.SIZE * bytes;
        return signed ? value << unused >> unused : value;
    }

    @FunctionalInterface
    private interface Taker {
        void take(int index, ByteBuffer bytes);
    }

    private void forEach(Taker taker) throws IOException {
        int each = bytesOfValue();
        ByteBuffer buffer = ByteBuffer.allocate(CHUNK).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < size; ) {
            int count = Math.min(CHUNK / each, size - i);
            if (in.readNBytes(buffer.array(), 0, count * each) < count * each) {
                throw new UserException(where + " ends within its values: it is damaged");
            }
            buffer.clear();
            for (int end = i + count; i < end; i++) {
                taker.take(i, buffer);
            }
        }
    }
}
