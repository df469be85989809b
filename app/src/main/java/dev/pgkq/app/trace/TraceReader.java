package dev.pgkq.app.trace;

import dev.pgkq.app.run.Safetensors;
import dev.pgkq.app.run.Safetensors.Tensor;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what a run keeps in {@code trace/}, also while it is written. */
public final class TraceReader {
    private final Path folder;

    private TraceReader(Path folder) {
        this.folder = folder;
    }

    public static TraceReader of(Path runDirectory) {
        return new TraceReader(runDirectory.resolve("trace"));
    }

    /**
     * An episode that is kept.
     *
     * @param states {@code length + 1} rows of {@code stateSize} numbers
     * @param rewards one a step, if they were paid for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record RecordedEpisode(int length, int stateSize, float[] states, Optional<float[]> rewards) {}

    /** The task's figure as JSON. */
    public Optional<String> figure() {
        return text(folder.resolve("figure.json"));
    }

    /** The iterations there is something of, ascending. */
    public int[] iterations() {
        return numbered(folder.resolve("iterations"), ".json");
    }

    /** What is known of an iteration, as JSON. */
    public Optional<String> iteration(int iteration) {
        return text(folder.resolve("iterations").resolve(name(iteration, ".json")));
    }

    /** The iterations whose episodes are kept, ascending. */
    public int[] withEpisodes() {
        return numbered(folder.resolve("episodes"), ".safetensors");
    }

    public Optional<RecordedEpisode> episode(int iteration, int index) {
        Path file = folder.resolve("episodes").resolve(name(iteration, ".safetensors"));
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        try {
            Map<String, Tensor> tensors = Safetensors.read(file).tensors();
            Tensor states = tensors.get("states." + index);
            if (states == null) {
                return Optional.empty();
            }
            return Optional.of(new RecordedEpisode(
                    states.shape()[0] - 1,
                    states.shape()[1],
                    states.values(),
                    Optional.ofNullable(tensors.get("rewards." + index)).map(Tensor::values)));
        } catch (UserException e) {
            return Optional.empty(); // deleted meanwhile
        }
    }

    private static String name(int iteration, String ending) {
        return String.format(Locale.ROOT, "%06d%s", iteration, ending);
    }

    private static int[] numbered(Path folder, String ending) {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{6}" + ending.replace(".", "\\.")))
                    .mapToInt(name -> Integer.parseInt(name.substring(0, 6)))
                    .sorted()
                    .toArray();
        } catch (IOException e) {
            return new int[0];
        }
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
