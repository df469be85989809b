package dev.pgkq.app.run;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Where a run keeps everything: its settings, metrics, events, checkpoints and figures. */
public record RunDirectory(Path path) {
    private static final String LOCK = ".lock";
    private static final String ID = "run-id";

    public Path config() {
        return path.resolve("config.yaml");
    }

    public Path metrics() {
        return path.resolve("metrics.csv");
    }

    public Path events() {
        return path.resolve("events.jsonl");
    }

    /** Rewards that were paid for, unless a run keeps them elsewhere. */
    public Path ledger() {
        return path.resolve(Ledger.FILE);
    }

    public Path curve() {
        return path.resolve("curve.png");
    }

    /** What is kept for those who look on. */
    public Path trace() {
        return path.resolve("trace");
    }

    public Path tensorBoard() {
        return path.resolve("tensorboard");
    }

    public Checkpoints checkpoints() {
        return new Checkpoints(path.resolve("checkpoint"));
    }

    /** Whether a run was begun here. */
    public boolean holdsRun() {
        return Files.exists(config());
    }

    /** Whether the folder can become a run directory: it is not there yet, or empty but for what a failed start left. */
    public boolean isFree() {
        if (!Files.exists(path)) {
            return true;
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.allMatch(
                    file -> file.endsWith(LOCK) || file.endsWith(ID) || file.endsWith(".config.yaml.new"));
        } catch (IOException e) {
            return false;
        }
    }

    /** What the run is called by people. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** What tells the run from others of its name, wherever they are; empty before it has begun, and for one of old. */
    public String id() {
        try {
            return Files.exists(path.resolve(ID))
                    ? Files.readString(path.resolve(ID)).strip()
                    : "";
        } catch (IOException e) {
            throw FileErrors.reading(path.resolve(ID), e);
        }
    }

    /** Gives the run its id, once; whoever holds the {@link #lock} does so. */
    public void identify(String id) {
        WholeFile.replace(path.resolve(ID), (id + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The first of {@code base}, {@code base-2}, {@code base-3}, … that is free. */
    public static RunDirectory firstFree(Path base) {
        RunDirectory directory = new RunDirectory(base);
        for (int i = 2; !directory.isFree(); i++) {
            directory = new RunDirectory(base.resolveSibling(base.getFileName() + "-" + i));
        }
        return directory;
    }

    /** Keeps other processes from training here until it is closed, or this process ends. */
    public Lock lock() {
        Path file = path.resolve(LOCK);
        try {
            Files.createDirectories(path);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel)) {
                return new Lock(channel);
            }
            channel.close();
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
        throw new UserException(
                "another process is training in " + path + "; wait for it, stop it, or give another --out");
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false; // this process has it
        }
    }

    /** A run directory that is ours. */
    public record Lock(FileChannel channel) implements AutoCloseable {
        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
