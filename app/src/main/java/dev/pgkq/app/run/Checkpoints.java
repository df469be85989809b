package dev.pgkq.app.run;

import dev.pgkq.app.run.Safetensors.Tensor;
import dev.pgkq.text.UserException;
import dev.pgkq.train.Snapshot;
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
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The saved states of a run, the two newest: {@code checkpoint/iteration-000012.safetensors}. Each is one file that
 * appears whole or not at all, with a checksum over all of it. A damaged one is named, set aside, and the one before it
 * used: the run then repeats an iteration, with the same result.
 */
public final class Checkpoints {
    private static final int KEPT = 2;
    private static final Pattern NAME = Pattern.compile("iteration-(\\d+)\\.safetensors");
    private static final String CHECKSUM = "crc32c";
    private static final String COUNTER = "counter.";

    private final Path folder;

    public Checkpoints(Path folder) {
        this.folder = folder;
    }

    public void save(Snapshot snapshot) {
        Map<String, Tensor> tensors = new LinkedHashMap<>();
        snapshot.tensors().forEach((name, values) -> tensors.put(name, Tensor.of(values, values.length)));
        Map<String, String> metadata = new TreeMap<>();
        snapshot.counters().forEach((name, value) -> metadata.put(COUNTER + name, Long.toString(value)));
        metadata.put(CHECKSUM, checksum(snapshot));
        Safetensors.write(file(snapshot.iteration()), tensors, metadata);
        List<Path> saved = newestFirst();
        for (Path old : saved.subList(Math.min(KEPT, saved.size()), saved.size())) {
            delete(old);
        }
    }

    /**
     * The newest state that is whole, or null where none was ever saved. What is damaged is told to {@code warnings}.
     *
     * @throws UserException if there are checkpoints, and all are damaged
     */
    public @Nullable Snapshot newest(Consumer<String> warnings) {
        List<Path> saved = newestFirst();
        for (Path file : saved) {
            try {
                return read(file);
            } catch (UserException e) {
                warnings.accept("damaged checkpoint: " + e.getMessage() + "; trying the one before it");
                setAside(file);
            }
        }
        if (saved.isEmpty()) {
            return null;
        }
        throw new UserException("no checkpoint in " + folder + " can be read; the run cannot go on. Its metrics.csv is"
                + " untouched; start a new run with --config " + folder.resolveSibling("config.yaml"));
    }

    private static Snapshot read(Path file) {
        Safetensors.Contents contents = Safetensors.read(file);
        Map<String, float[]> tensors = new LinkedHashMap<>();
        contents.tensors().forEach((name, tensor) -> tensors.put(name, tensor.values()));
        Map<String, Long> counters = new LinkedHashMap<>();
        for (Map.Entry<String, String> entry : contents.metadata().entrySet()) {
            if (entry.getKey().startsWith(COUNTER)) {
                try {
                    counters.put(entry.getKey().substring(COUNTER.length()), Long.valueOf(entry.getValue()));
                } catch (NumberFormatException e) {
                    throw new UserException(file + ": '" + entry.getKey() + "' is not a number", e);
                }
            }
        }
        Snapshot snapshot = new Snapshot(tensors, counters);
        if (!checksum(snapshot).equals(contents.metadata().get(CHECKSUM))) {
            throw new UserException(file + ": its checksum does not fit its contents");
        }
        return snapshot;
    }

    private static String checksum(Snapshot snapshot) {
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
            throw FileTrouble.reading(folder, e);
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
            throw FileTrouble.writing(file, e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw FileTrouble.writing(file, e);
        }
    }
}
