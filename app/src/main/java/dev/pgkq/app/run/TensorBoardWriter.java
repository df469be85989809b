package dev.pgkq.app.run;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Protobuf;
import dev.pgkq.rewards.files.WholeFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Locale;
import java.util.Map;
import java.util.zip.CRC32C;

/**
 * Writes scalars for TensorBoard: a file of records, each a serialised {@code tensorflow.Event}. Only these fields of that
 * message are needed, few enough to encode by hand:
 *
 * <pre>
 * Event   { double wall_time = 1; int64 step = 2; string file_version = 3; Summary summary = 5; SessionLog session_log = 7 }
 * Summary { repeated Value value = 1 }    Value { string tag = 1; float simple_value = 2 }    SessionLog { int32 status = 1 }
 * </pre>
 *
 * A record is the length of its data (8 bytes, little-endian), the masked CRC-32C of those 8 bytes, the data, and the
 * masked CRC-32C of the data.
 */
public final class TensorBoardWriter implements AutoCloseable {
    private static final int SESSION_START = 1;

    private final Path file;
    private final FileChannel channel;

    private TensorBoardWriter(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /** Creates an event file in that folder. TensorBoard reads the files of a folder as one run, in the order of their names. */
    public static TensorBoardWriter open(Path folder) {
        return open(folder, Clock.systemUTC());
    }

    static TensorBoardWriter open(Path folder, Clock clock) {
        double wallTime = clock.millis() / 1000.0;
        Path file = folder;
        try {
            Files.createDirectories(folder);
            file = freeName(folder, clock.millis() / 1000);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            TensorBoardWriter writer = new TensorBoardWriter(file, channel);
            writer.record(event(wallTime, 0).text(3, "brain.Event:2"));
            return writer;
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    /**
     * Records that the run was resumed from a checkpoint: TensorBoard then ignores the values of earlier files at {@code step}
     * and later, which will be written again.
     */
    public void resumeAt(long step, double wallTime) {
        tryRecord(event(wallTime, step).message(7, new Protobuf().integer(1, SESSION_START)));
    }

    /** Writes one value per tag, all for the same step; they are in the file when this method returns. */
    public void scalars(long step, double wallTime, Map<String, Double> values) {
        Protobuf summary = new Protobuf();
        values.forEach(
                (tag, value) -> summary.message(1, new Protobuf().text(1, tag).float32(2, value.floatValue())));
        tryRecord(event(wallTime, step).message(5, summary));
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private static Protobuf event(double wallTime, long step) {
        return new Protobuf().float64(1, wallTime).integer(2, step);
    }

    private void tryRecord(Protobuf message) {
        try {
            record(message);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private void record(Protobuf message) throws IOException {
        byte[] data = message.toBytes();
        ByteBuffer record = ByteBuffer.allocate(Long.BYTES + Integer.BYTES + data.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN);
        record.putLong(data.length);
        record.putInt(maskedChecksum(record.array(), Long.BYTES));
        record.put(data).putInt(maskedChecksum(data, data.length)).flip();
        WholeFile.writeFully(record, channel);
    }

    /** The format masks checksums, since the checksum of data that contains checksums would be weak. */
    private static int maskedChecksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return Integer.rotateRight((int) checksum.getValue(), 15) + 0xa282ead8;
    }

    /** The last part is usually the host name; looking it up can hang, and nothing reads it. */
    private static Path freeName(Path folder, long seconds) {
        String name = String.format(Locale.ROOT, "events.out.tfevents.%010d.pgkq", seconds);
        Path file = folder.resolve(name);
        for (int i = 1; Files.exists(file); i++) {
            file = folder.resolve(name + "." + i);
        }
        return file;
    }
}
