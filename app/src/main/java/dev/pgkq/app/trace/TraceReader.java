package dev.pgkq.app.trace;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.rewards.files.Safetensors.Tensor;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** Reads what a run keeps for those who look on, also while it is written. */
public final class TraceReader {
    private final TraceFiles files;

    private TraceReader(TraceFiles files) {
        this.files = files;
    }

    public static TraceReader of(Path runDirectory) {
        return new TraceReader(new TraceFiles(new RunDirectory(runDirectory).trace()));
    }

    /**
     * An episode that is kept.
     *
     * @param length T
     * @param stateSize numbers of a state
     * @param states the simulator's states, (T + 1) × stateSize
     * @param rewards of every step, if they were paid for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record RecordedEpisode(int length, int stateSize, float[] states, Optional<float[]> rewards) {}

    /** What the task looks like, as JSON. */
    public Optional<String> figure() {
        return text(files.figure());
    }

    /** The iterations of which something is known. */
    public int[] iterations() {
        return TraceFiles.in(files.iterations());
    }

    /** What is known of an iteration, as JSON. */
    public Optional<String> iteration(int iteration) {
        return text(files.iteration(iteration));
    }

    /** The iterations whose episodes are kept; the newest may have begun and not be over. */
    public int[] withEpisodes() {
        return TraceFiles.in(files.episodes());
    }

    public Optional<RecordedEpisode> episode(int iteration, int index) {
        Optional<Tensor> states =
                tensor(files.states(iteration), "states." + index).filter(tensor -> tensor.shape().length == 2);
        Optional<float[]> rewards =
                tensor(files.rewards(iteration), "rewards." + index).map(Tensor::values);
        return states.map(tensor ->
                new RecordedEpisode(Math.max(0, tensor.shape()[0] - 1), tensor.shape()[1], tensor.values(), rewards));
    }

    /** Empty also where the file went away between two looks: the oldest make room all the time. */
    private static Optional<Tensor> tensor(Path file, String name) {
        try {
            return Optional.ofNullable(
                    Safetensors.read(file, name::equals).tensors().get(name));
        } catch (UserException e) {
            if (e.getCause() instanceof NoSuchFileException) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }
}
