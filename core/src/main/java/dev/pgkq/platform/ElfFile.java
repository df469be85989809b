package dev.pgkq.platform;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A shared library of Linux. Loading one that is cut short ends the process, so that its length is checked before. */
public final class ElfFile {
    private static final int MAGIC = 0x7f454c46;
    private static final int HEADER = 64;
    private static final int SIZE_64 = 2;

    private ElfFile() {}

    /**
     * Returns whether a file is a shared library and long enough: at its end is the table of its sections, whose place its
     * start tells.
     *
     * @param file the file
     * @return whether it may be loaded
     * @throws IOException if it cannot be read
     */
    public static boolean isWhole(Path file) throws IOException {
        ByteBuffer header = ByteBuffer.allocate(HEADER);
        try (FileChannel channel = FileChannel.open(file)) {
            while (header.hasRemaining() && channel.read(header) >= 0) {
                // until it is full or the file ends
            }
            if (header.hasRemaining() || header.getInt(0) != MAGIC) {
                return false;
            }
            header.order(header.get(5) == 1 ? LITTLE_ENDIAN : BIG_ENDIAN);
            boolean wide = header.get(4) == SIZE_64;
            long table = wide ? header.getLong(40) : Integer.toUnsignedLong(header.getInt(32));
            long entry = Short.toUnsignedLong(header.getShort(wide ? 58 : 46));
            long entries = Short.toUnsignedLong(header.getShort(wide ? 60 : 48));
            return table >= 0 && table + entry * entries <= channel.size();
        }
    }
}
