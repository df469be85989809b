package dev.pgkq.rewards.desk;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * The id of a run, in the file {@code run-id} of its folder: one line of hexadecimal digits, as in the run directories of the
 * application.
 */
final class RunId {
    private static final String FILE = "run-id";
    private static final int DIGITS = 12;
    private static final int MAX_BYTES = 100;

    private RunId() {}

    /**
     * The name in the ledger of the run in this folder: that of the folder, with the run's id, which is made on first use. A
     * folder that has a ledger but no id was used before there were ids: its run keeps the bare name, so that what it has spent
     * still counts.
     *
     * @throws UserException if the id cannot be read or written
     */
    static String nameOf(Path folder) {
        Path name = folder.toAbsolutePath().normalize().getFileName();
        boolean old = !Files.exists(folder.resolve(FILE)) && Files.exists(folder.resolve(Ledger.FILE));
        return RunName.of(name == null ? "run" : name.toString(), old ? "" : id(folder.resolve(FILE)));
    }

    private static String id(Path file) {
        String known = read(file);
        return known.isEmpty() ? make(file) : known;
    }

    private static String read(Path file) {
        try {
            return Files.exists(file, LinkOption.NOFOLLOW_LINKS)
                    ? BoundedFile.text(file, MAX_BYTES).strip()
                    : "";
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Of several processes that start in the same folder, the first one makes the id. Within a process, the monitor decides. */
    private static synchronized String make(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (FileChannel channel = FileChannel.open(
                            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                    FileLock lock = channel.lock()) {
                ByteBuffer found = ByteBuffer.allocate(Math.toIntExact(channel.size()));
                int count;
                do {
                    count = channel.read(found);
                } while (count > 0);
                String known = UTF_8.decode(found.flip()).toString().strip();
                if (!known.isEmpty()) {
                    return known;
                }
                String id = UUID.randomUUID().toString().replace("-", "").substring(0, DIGITS);
                WholeFile.writeFully(UTF_8.encode(id + "\n"), channel.position(0));
                channel.force(true);
                return id;
            }
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }
}
