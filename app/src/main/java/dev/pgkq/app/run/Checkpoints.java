package dev.pgkq.app.run;

import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Tensor;
import dev.pgkq.state.Snapshot;
import dev.pgkq.text.Excerpt;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * The saved states of a run, the two newest: {@code checkpoint/iteration-000012.safetensors}. Each is one file that
 * appears whole or not at all, with a checksum over all of it. A damaged one is named, set aside, and the one before it
 * used: the run then repeats an iteration, with the same result.
 */
public final class Checkpoints {
    private static final int KEPT = 2;
    private static final Pattern NAME = Pattern.compile("iteration-(\\d{1,10})\\.safetensors");
    static final String CHECKSUM = "crc32c";
    private static final String COUNTER = "counter.";
    private static final String NUMERICS = "numerics";

    private final Path folder;

    public Checkpoints(Path folder) {
        this.folder = folder;
    }

    public void save(Saved saved) {
        Snapshot snapshot = saved.snapshot();
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        snapshot.tensors().forEach((name, values) -> tensors.put(name, Tensor.of(values, values.length)));
        Map<String, String> metadata = new TreeMap<>();
        snapshot.counters().forEach((name, value) -> metadata.put(COUNTER + name, Long.toString(value)));
        metadata.put(NUMERICS, saved.numerics());
        metadata.put(CHECKSUM, checksum(snapshot));
        Safetensors.write(file(snapshot.iteration()), tensors, metadata);
        List<Path> files = newestFirst();
        for (Path old : files.subList(Math.min(KEPT, files.size()), files.size())) {
            delete(old);
        }
    }

    /** A state that was read, and the newer ones that are damaged, each with what is wrong. */
    public record Found(Saved saved, Map<Path, String> damaged) {}

    /**
     * A saved state.
     *
     * @param numerics what computed it: the same bits are promised on the same only
     */
    public record Saved(Snapshot snapshot, String numerics) {}

    /**
     * The newest state that is whole; empty where none was ever saved. Nothing is changed.
     *
     * @throws UserException if a checkpoint cannot be read for another reason than damage, or if all are damaged
     */
    public Optional<Found> newest() {
        Map<Path, String> damaged = new LinkedHashMap<>();
        for (Path file : newestFirst()) {
            try {
                return Optional.of(new Found(saved(Safetensors.read(file)), damaged));
            } catch (UserException e) {
                if (e.getCause() instanceof IOException) {
                    throw e;
                }
                damaged.put(file, String.valueOf(e.getMessage()));
            }
        }
        if (damaged.isEmpty()) {
            return Optional.empty();
        }
        throw new UserException("no checkpoint in " + folder + " is whole ("
                + String.join("; ", damaged.values())
                + "). Its metrics are untouched; 'pgkq train --config " + folder.resolveSibling("config.yaml")
                + "' repeats the run from its start in a new folder");
    }

    /** Puts damaged files out of the way, under another name. */
    public void setAside(Found found) {
        found.damaged().keySet().forEach(Checkpoints::setAside);
    }

    /** @throws UserException if it is no state, or not the one that was saved */
    static Saved saved(Safetensors.Contents contents) {
        Snapshot snapshot = snapshot(contents);
        if (!checksum(snapshot).equals(contents.metadata().get(CHECKSUM))) {
            throw new UserException(contents.file() + ": its checksum does not fit its contents");
        }
        requireIteration(contents.file(), snapshot);
        return new Saved(snapshot, contents.metadata().getOrDefault(NUMERICS, ""));
    }

    private static void requireIteration(Path file, Snapshot snapshot) {
        try {
            snapshot.iteration();
        } catch (IllegalArgumentException e) {
            throw new UserException(file + ": " + e.getMessage(), e);
        }
    }

    static Snapshot snapshot(Safetensors.Contents contents) {
        Map<String, float[]> tensors = new LinkedHashMap<>();
        contents.tensors().forEach((name, tensor) -> tensors.put(name, tensor.values()));
        Map<String, Long> counters = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : contents.metadata().entrySet()) {
            if (entry.getKey().startsWith(COUNTER)) {
                try {
                    counters.put(entry.getKey().substring(COUNTER.length()), Long.valueOf(entry.getValue()));
                } catch (NumberFormatException e) {
                    throw new UserException(
                            contents.file() + ": '" + Excerpt.first(entry.getKey()) + "' is not a number", e);
                }
            }
        }
        return new Snapshot(tensors, counters);
    }

    static String checksum(Snapshot snapshot) {
        CRC32C checksum = new CRC32C();
        new TreeMap<>(snapshot.counters())
                .forEach(
                        (name, value) -> checksum.update((name + "=" + value + "\n").getBytes(StandardCharsets.UTF_8)));
        for (Map.Entry<String, float[]> tensor : new TreeMap<>(snapshot.tensors()).entrySet()) {
            checksum.update(tensor.getKey().getBytes(StandardCharsets.UTF_8));
            ByteBuffer bytes = ByteBuffer.allocate(tensor.getValue().length * Float.BYTES);
            bytes.asFloatBuffer().put(tensor.getValue());
            checksum.update(bytes);
        }
        return String.format(Locale.ROOT, "%08x", checksum.getValue());
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
        try {
            Files.move(file, file.resolveSibling(file.getFileName() + ".damaged"), StandardCopyOption.REPLACE_EXISTING);
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
