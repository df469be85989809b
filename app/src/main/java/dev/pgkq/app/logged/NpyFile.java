package dev.pgkq.app.logged;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Locale;

/** Writes arrays in NumPy's {@code .npy} format, which {@link NpyArray} describes. */
public final class NpyFile {
    private static final byte[] START = {NpyArray.MAGIC_BYTE, 'N', 'U', 'M', 'P', 'Y', 1, 0};
    /** Readers map the values into memory, aligned to so many bytes. */
    private static final int ALIGNMENT = 64;

    private NpyFile() {}

    /**
     * The columns of a matrix of float64.
     *
     * @param columns all of the same length
     */
    public static byte[] ofColumns(double[]... columns) {
        int rows = columns[0].length;
        String header = String.format(
                Locale.ROOT, "{'descr': '<f8', 'fortran_order': False, 'shape': (%d, %d), }", rows, columns.length);
        int size = (START.length + Short.BYTES + header.length() + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
        ByteBuffer bytes =
                ByteBuffer.allocate(size + rows * columns.length * Double.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.put(START).putShort((short) (size - START.length - Short.BYTES));
        bytes.put(header.getBytes(US_ASCII));
        while (bytes.position() < size - 1) {
            bytes.put((byte) ' ');
        }
        bytes.put((byte) '\n');
        for (int row = 0; row < rows; row++) {
            for (double[] column : columns) {
                bytes.putDouble(column[row]);
            }
        }
        return bytes.array();
    }
}
