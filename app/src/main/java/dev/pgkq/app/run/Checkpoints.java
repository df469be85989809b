package dev.pgkq.app.run;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.SnapshotFile;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The two newest states of a run, as {@code checkpoint/iteration-000012.safetensors}. Each file is written atomically and
 * has a checksum over everything in it. A damaged checkpoint is reported and set aside, and the one
 * before it is used: the run then repeats an iteration, with the same result. {@code docs/checkpoints.md} documents the
 * format.
 */
public final class Checkpoints {
    private static final int KEPT = 2;
    private static final Pattern NAME = Pattern.compile("iteration-(\\d{1,10})\\.safetensors");
    static final String FORMAT = "pgkq_checkpoint";
    /** Version 1 had one flat tensor for all layers of a network. */
    private static final String VERSION = "2";
    /** Only version 1 has this entry; it has no {@link #FORMAT} entry. */
    private static final String VERSION_1_ENTRY = "counter.iteration";

    private static final String NUMERICS = "numerics";

    private final Path folder;

    /** Creates a view of the checkpoints in a folder, which need not exist yet. */
    public Checkpoints(Path folder) {
        this.folder = folder;
    }

    /**
     * Saves a state and deletes all but the two newest.
     *
     * @throws UserException if the file cannot be written
     */
    public void save(Saved saved) {
        write(file(saved.snapshot().iteration()), saved);
        List<Path> files = newestFirst().stream().filter(Files::isRegularFile).toList();
        for (Path old : files.subList(Math.min(KEPT, files.size()), files.size())) {
            delete(old);
        }
    }

    /** Replaces a file atomically. */
    static void write(Path file, Saved saved) {
        Snapshot snapshot = saved.snapshot();
        Map<String, String> metadata =
                SnapshotFile.metadata(snapshot, Map.of(FORMAT, VERSION, NUMERICS, saved.numerics()));
        Safetensors.write(file, snapshot.tensors(), metadata);
    }

    /**
     * Reads the state in a file.
     *
     * @throws UserException if it cannot be read, is damaged, or has another format
     */
    static Saved read(Path file) {
        return saved(Safetensors.read(file));
    }

    /**
     * A state that was read.
     *
     * @param saved the state
     * @param damaged newer checkpoints that are damaged, each with the problem
     */
    public record Found(Saved saved, Map<Path, String> damaged) {}

    /**
     * A saved state.
     *
     * @param snapshot the state
     * @param numerics the BLAS library and kernel that computed it; other ones round differently
     */
    public record Saved(Snapshot snapshot, String numerics) {}

    /**
     * Returns the newest intact state, or empty if none was ever saved. Changes nothing on disk.
     *
     * @throws UserException if a checkpoint cannot be read for another reason than damage, if another version of pgkq
     *     wrote it in another format, or if all checkpoints are damaged
     */
    public Optional<Found> newest() {
        Map<Path, String> damaged = new LinkedHashMap<>();
        for (Path file : newestFirst()) {
            if (!Files.isRegularFile(file)) {
                damaged.put(file, file + ": not a file but something else, such as a folder");
                continue;
            }
            try {
                return Optional.of(new Found(read(file), damaged));
            } catch (UserException e) {
                if (!isDamage(e)) {
                    throw e;
                }
                damaged.put(file, String.valueOf(e.getMessage()));
            }
        }
        if (damaged.isEmpty()) {
            return Optional.empty();
        }
        throw new UserException("every checkpoint in " + folder + " is damaged ("
                + String.join("; ", damaged.values())
                + "). The metrics are intact; 'pgkq train --config " + folder.resolveSibling("config.yaml")
                + "' repeats the run from the start in a new folder");
    }

    /** Whether a file could be read, and its contents make no sense. */
    static boolean isDamage(UserException e) {
        return !(e instanceof OtherFormatException) && !(e.getCause() instanceof IOException);
    }

    /** Renames the damaged files. */
    public void setAside(Found found) {
        found.damaged().keySet().forEach(Checkpoints::setAside);
    }

    /** A checkpoint in a format that this version does not read. It is intact, so it must not be set aside. */
    private static final class OtherFormatException extends UserException {
        private static final long serialVersionUID = 1L;

        OtherFormatException(String message) {
            super(message);
        }
    }

    /**
     * Returns the state in a file.
     *
     * @throws UserException if the file is not a checkpoint, is damaged, or has another format
     */
    static Saved saved(Safetensors.Contents contents) {
        Map<String, String> metadata = contents.metadata();
        String version = metadata.get(FORMAT);
        if (version == null && metadata.containsKey(VERSION_1_ENTRY)) {
            throw otherFormat(contents.file(), "1");
        }
        if (version == null) {
            throw new UserException(contents.file() + ": not a checkpoint of pgkq: it has no entry '" + FORMAT + "'");
        }
        if (!isIntact(contents)) {
            throw new UserException(contents.file() + ": the checksum does not match the contents");
        }
        if (!VERSION.equals(version)) {
            throw otherFormat(contents.file(), version);
        }
        Snapshot snapshot = SnapshotFile.snapshot(contents, Set.of(FORMAT, NUMERICS));
        requireIteration(contents.file(), snapshot);
        return new Saved(snapshot, metadata.getOrDefault(NUMERICS, ""));
    }

    private static OtherFormatException otherFormat(Path file, String version) {
        return new OtherFormatException(file + ": the checkpoint has format " + Excerpt.first(version)
                + ", and this version of pgkq reads format " + VERSION
                + " only. Continue the run with the version of pgkq that wrote it, or train it again");
    }

    /** Whether the checksum matches. In the first files of version 2 it does not cover two of the entries. */
    private static boolean isIntact(Safetensors.Contents contents) {
        if (SnapshotFile.isIntact(contents)) {
            return true;
        }
        Map<String, String> covered = new TreeMap<>(contents.metadata());
        String checksum = covered.remove(SnapshotFile.CHECKSUM);
        covered.remove(NUMERICS);
        return VERSION.equals(covered.remove(FORMAT))
                && SnapshotFile.checksum(contents.tensors(), covered).equals(checksum);
    }

    private static void requireIteration(Path file, Snapshot snapshot) {
        try {
            snapshot.iteration();
        } catch (IllegalArgumentException e) {
            throw new UserException(file + ": " + e.getMessage(), e);
        }
    }

    private Path file(int iteration) {
        return folder.resolve(String.format(Locale.ROOT, "iteration-%06d.safetensors", iteration));
    }

    private List<Path> newestFirst() {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            List<Path> saved =
                    new ArrayList<>(files.filter(file -> iteration(file) >= 0).toList());
            saved.sort(Comparator.comparingLong(Checkpoints::iteration).reversed());
            return saved;
        } catch (IOException e) {
            throw FileErrors.reading(folder, e);
        }
    }

    private static long iteration(Path file) {
        Path name = file.getFileName();
        Matcher matcher = NAME.matcher(name == null ? "" : name.toString());
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    private static void setAside(Path file) {
        String name = file.getFileName() + ".damaged";
        Path aside = file.resolveSibling(name);
        for (int i = 2; Files.exists(aside, LinkOption.NOFOLLOW_LINKS); i++) {
            aside = file.resolveSibling(name + "-" + i);
        }
        try {
            Files.move(file, aside);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }
}
