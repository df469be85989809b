package dev.pgkq.app.run;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.FolderLock;
import dev.pgkq.rewards.files.WholeFile;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The folder of a run, with its settings, metrics, events, checkpoints and figures. */
public record RunDirectory(Path path) {
    private static final String ID = "run-id";
    private static final int MAX_ID_BYTES = 100;

    /** The name of a task as the name of a folder: without colons and slashes, which not every file system allows. */
    public static String folder(String task) {
        return task.replaceAll("[:/]", "-");
    }

    public Path config() {
        return path.resolve("config.yaml");
    }

    /** What an environment in Python prints. */
    public Path pythonLog() {
        return path.resolve("python.log");
    }

    public Path metrics() {
        return path.resolve("metrics.csv");
    }

    public Path events() {
        return path.resolve("events.jsonl");
    }

    /** The ledger of paid rewards, unless the settings of the run name another one. */
    public Path ledger() {
        return path.resolve(Ledger.FILE);
    }

    /** Copies of the ledger that were saved when it was deleted or replaced during a run, by name. */
    public List<String> rescuedLedgers() {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> String.valueOf(file.getFileName()))
                    .filter(name -> name.matches("ledger\\.rescued(-\\d+)?\\.db"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }

    public Path curve() {
        return path.resolve("curve.png");
    }

    /** The folder of files for the dashboard. */
    public Path trace() {
        return path.resolve("trace");
    }

    public Path tensorBoard() {
        return path.resolve("tensorboard");
    }

    public Checkpoints checkpoints() {
        return new Checkpoints(path.resolve("checkpoint"));
    }

    /** The best policy of those that were tried. */
    public BestPolicy best() {
        return new BestPolicy(path.resolve("best.safetensors"));
    }

    /** Whether a run was started here. */
    public boolean holdsRun() {
        return Files.exists(config());
    }

    /** Whether a run can be started here: the folder does not exist, or has nothing but remains of a failed start. */
    public boolean isFree() {
        if (!Files.exists(path)) {
            return true;
        }
        try (Stream<Path> files = Files.list(path)) {
            return files.allMatch(
                    file -> file.endsWith(FolderLock.FILE) || file.endsWith(ID) || file.endsWith(".config.yaml.new"));
        } catch (IOException e) {
            return false;
        }
    }

    /** The name of the run for users: that of its folder. */
    public String name() {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** The file of the run's {@link #id}. */
    public Path idFile() {
        return path.resolve(ID);
    }

    /**
     * The id of the run, unique among runs of the same name; empty before the start, and for runs of old versions.
     *
     * @throws UserException if the file cannot be read, or is not a small regular file
     */
    public String id() {
        try {
            return Files.exists(idFile(), LinkOption.NOFOLLOW_LINKS)
                    ? BoundedFile.text(idFile(), MAX_ID_BYTES).strip()
                    : "";
        } catch (IOException e) {
            throw FileErrors.reading(idFile(), e);
        }
    }

    /** Stores the id of the run. Call it once, while holding the {@link #lock}. */
    public void identify(String id) {
        WholeFile.replace(idFile(), (id + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** The first of {@code base}, {@code base-2}, {@code base-3}, … that is free. */
    public static RunDirectory firstFree(Path base) {
        RunDirectory directory = new RunDirectory(base);
        for (int i = 2; !directory.isFree(); i++) {
            directory = new RunDirectory(base.resolveSibling(base.getFileName() + "-" + i));
        }
        return directory;
    }

    /**
     * Keeps other processes from training here until the lock is closed, or this process ends.
     *
     * @throws UserException if another process holds the lock
     */
    public FolderLock lock() {
        return tryLock()
                .orElseThrow(() -> new UserException(
                        "another process is training in " + path + "; wait for it, stop it, or choose another --out"));
    }

    /** The same lock; empty if another process holds it. */
    public Optional<FolderLock> tryLock() {
        return FolderLock.tryLock(path);
    }
}
