package dev.pgkq.wheel;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.LocalDateTime;
import java.util.Base64;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * A wheel that is being written: a zip archive with a list of its files and their SHA-256, as the binary distribution format of
 * Python packages wants it. The same contents give the same bytes.
 *
 * <p>It writes the archive itself. {@code ZipOutputStream} cannot store which files are executable, and Java's file system for zip
 * archives stores it in a form that pip does not recognise: the permissions without the bit of a regular file.
 */
final class WheelFile implements Closeable {
    /** Of all files. */
    static final LocalDateTime TIME = LocalDateTime.of(2026, 1, 1, 0, 0);

    private static final int LOCAL = 0x04034b50;
    private static final int CENTRAL = 0x02014b50;
    private static final int END = 0x06054b50;
    private static final int LOCAL_SIZE = 30;
    private static final int CENTRAL_SIZE = 46;
    private static final int END_SIZE = 22;
    private static final int VERSION = 20;
    private static final int UNIX = 3 << 8;
    private static final int DEFLATED = 8;
    private static final int REGULAR = 0100644;
    private static final int EXECUTABLE = 0100755;
    private static final int BUFFER = 1 << 16;

    private final OutputStream out;
    private final String record;
    private final StringBuilder list = new StringBuilder();
    private final ByteArrayOutputStream directory = new ByteArrayOutputStream();
    private int entries;
    private long written;

    /** @param info the folder with the wheel's description, such as {@code pgkq-0.1.0.dist-info} */
    WheelFile(Path file, String info) throws IOException {
        out = Files.newOutputStream(file);
        record = info + "/RECORD";
    }

    void add(String name, String text) throws IOException {
        add(name, text.getBytes(StandardCharsets.UTF_8), false);
    }

    void add(String name, byte[] contents, boolean executable) throws IOException {
        // others would have to be quoted in RECORD, or need UTF-8 in the archive
        if (!name.matches("[-+\\w./$ ]+")) {
            throw new IOException("the file name " + name + " is not plain enough for a wheel");
        }
        write(name, contents, executable);
        String hash = Base64.getUrlEncoder().withoutPadding().encodeToString(sha256().digest(contents));
        list.append(name)
                .append(",sha256=")
                .append(hash)
                .append(',')
                .append(contents.length)
                .append('\n');
    }

    @Override
    public void close() throws IOException {
        try (out) {
            list.append(record).append(",,\n");
            write(record, list.toString().getBytes(StandardCharsets.UTF_8), false);
            long start = written;
            write(directory.toByteArray());
            write(buffer(END_SIZE)
                    .putInt(END)
                    .putInt(0) // one archive, not one of several
                    .putShort((short) entries)
                    .putShort((short) entries)
                    .putInt(directory.size())
                    .putInt(Math.toIntExact(start))
                    .putShort((short) 0)
                    .array());
        }
    }

    private void write(String name, byte[] contents, boolean executable) throws IOException {
        byte[] encoded = name.getBytes(StandardCharsets.US_ASCII);
        byte[] compressed = deflate(contents);
        CRC32 sum = new CRC32();
        sum.update(contents);
        // what both headers of a file have: version, flags, method, time, sizes, length of the name, no extra fields
        byte[] common = buffer(LOCAL_SIZE - Integer.BYTES)
                .putShort((short) VERSION)
                .putShort((short) 0)
                .putShort((short) DEFLATED)
                .putShort((short) (TIME.getHour() << 11 | TIME.getMinute() << 5 | TIME.getSecond() / 2))
                .putShort((short) ((TIME.getYear() - 1980) << 9 | TIME.getMonthValue() << 5 | TIME.getDayOfMonth()))
                .putInt((int) sum.getValue())
                .putInt(compressed.length)
                .putInt(contents.length)
                .putShort((short) encoded.length)
                .putShort((short) 0)
                .array();
        directory.writeBytes(buffer(CENTRAL_SIZE)
                .putInt(CENTRAL)
                .putShort((short) (UNIX | VERSION))
                .put(common)
                .putShort((short) 0) // no comment
                .putShort((short) 0) // in this archive
                .putShort((short) 0) // nothing known about the contents
                .putInt((executable ? EXECUTABLE : REGULAR) << 16)
                .putInt(Math.toIntExact(written))
                .array());
        directory.writeBytes(encoded);
        write(buffer(LOCAL_SIZE).putInt(LOCAL).put(common).array());
        write(encoded);
        write(compressed);
        entries++;
    }

    private void write(byte[] bytes) throws IOException {
        out.write(bytes);
        written += bytes.length;
    }

    private static byte[] deflate(byte[] contents) {
        try (Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true)) {
            deflater.setInput(contents);
            deflater.finish();
            ByteArrayOutputStream compressed = new ByteArrayOutputStream();
            byte[] buffer = new byte[BUFFER];
            while (!deflater.finished()) {
                compressed.write(buffer, 0, deflater.deflate(buffer));
            }
            return compressed.toByteArray();
        }
    }

    private static ByteBuffer buffer(int size) {
        return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
