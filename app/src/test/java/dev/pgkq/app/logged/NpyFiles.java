package dev.pgkq.app.logged;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Creates valid and invalid NumPy files. */
final class NpyFiles {
    private NpyFiles() {}

    /** An array of float32. */
    static byte[] floats(String shape, float... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Float.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (float value : values) {
            bytes.putFloat(value);
        }
        return array("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }", bytes.array());
    }

    /** An array of int64. */
    static byte[] counts(long... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (long value : values) {
            bytes.putLong(value);
        }
        return array("{'descr': '<i8', 'fortran_order': False, 'shape': (" + values.length + ",), }", bytes.array());
    }

    /** An array of version 1.0, without padding of the header. */
    static byte[] array(String header, byte[] values) {
        byte[] text = (header + "\n").getBytes(ISO_8859_1);
        return ByteBuffer.allocate(10 + text.length + values.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put((byte) 0x93)
                .put("NUMPY".getBytes(ISO_8859_1))
                .put((byte) 1)
                .put((byte) 0)
                .putShort((short) text.length)
                .put(text)
                .put(values)
                .array();
    }

    /** An archive of arrays. */
    static byte[] zip(Map<String, byte[]> arrays) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> array : arrays.entrySet()) {
                zip.putNextEntry(new ZipEntry(array.getKey() + ".npy"));
                zip.write(array.getValue());
                zip.closeEntry();
            }
        }
        return bytes.toByteArray();
    }
}
