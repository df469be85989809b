package dev.pgkq.rewards.files;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/**
 * A message in the wire format of Protocol Buffers, to be written field by field: a field is its number and kind, then its
 * value. A repeated field is written once for each of its values. This is all that files for TensorBoard and ONNX need.
 */
public final class Protobuf {
    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH_DELIMITED = 2;
    private static final int FIXED_32 = 5;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** Adds a whole number: of type int32, int64 or enum, which are encoded alike. */
    public Protobuf integer(int field, long value) {
        key(field, VARINT);
        varint(value);
        return this;
    }

    public Protobuf float32(int field, float value) {
        key(field, FIXED_32);
        littleEndian(Float.floatToIntBits(value), Float.BYTES);
        return this;
    }

    public Protobuf float64(int field, double value) {
        key(field, FIXED_64);
        littleEndian(Double.doubleToLongBits(value), Double.BYTES);
        return this;
    }

    public Protobuf text(int field, String value) {
        return bytes(field, value.getBytes(UTF_8));
    }

    public Protobuf message(int field, Protobuf value) {
        return bytes(field, value.toBytes());
    }

    public Protobuf bytes(int field, byte[] value) {
        key(field, LENGTH_DELIMITED);
        varint(value.length);
        out.writeBytes(value);
        return this;
    }

    /** The message so far. */
    public byte[] toBytes() {
        return out.toByteArray();
    }

    private void key(int field, int kind) {
        varint(((long) field << 3) | kind);
    }

    private void varint(long value) {
        long left = value;
        while ((left & ~0x7fL) != 0) {
            out.write((int) ((left & 0x7f) | 0x80));
            left >>>= 7;
        }
        out.write((int) left);
    }

    private void littleEndian(long bits, int bytes) {
        for (int i = 0; i < bytes; i++) {
            out.write((int) (bits >>> (8 * i)) & 0xff);
        }
    }
}
