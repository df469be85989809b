package dev.pgkq.app.run;

import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Stream;

/** Where a run keeps everything: its settings, metrics, events, checkpoints and figures. */
public record RunDirectory(Path path) {
    private static final String LOCK = ".lock";

    public Path config() {
        return path.resolve("config.yaml");
    }

    public Path metrics() {
        return path.resolve("metrics.csv");
    }

    public Path events() {
        return path.resolve("events.jsonl");
    }

    public Path curve() {
        return path.resolve("curve.png");
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

    /** Whether the folder can become a run directory: it is not there yet, or empty but for a lock. */
    public boolean isFree() {
        if (!Files.exists(path)) {
            return true;
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.allMatch(file -> file.endsWith(LOCK));
        } catch (IOException e) {
            return false;
        }
    }

    /** The first of {@code base}, {@code base-2}, {@code base-3}, … that is free. */
    public static RunDirectory firstFree(Path base) {
        RunDirectory directory = new RunDirectory(base);
        for (int i = 2; !directory.isFree(); i++) {
            directory = new RunDirectory(base.resolveSibling(base.getFileName() + "-" + i));
        }
        return directory;
    }

    /** Keeps other processes from training here until the lock is closed or this process ends. */
    public FileLock lock() {
        Path file = path.resolve(LOCK);
        try {
            Files.createDirectories(path);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            channel.close();
        } catch (OverlappingFileLockException e) {
            // this process has it: reported below
        } catch (IOException e) {
            throw FileTrouble.writing(file, e);
        }
        throw new UserException(
                "another process is training in " + path + "; wait for it, stop it, or give another --out");
    }
}
