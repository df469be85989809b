package dev.pgkq.app.trace;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.Playback;
import dev.pgkq.env.Recording;
import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/** Reads the trace of a run for the dashboard, also while the run is writing it. */
public final class TraceReader {
    private static final int MAX_BYTES = 64 << 20;

    private final TraceFiles files;

    private TraceReader(TraceFiles files) {
        this.files = files;
    }

    /** The trace of the run in that directory. */
    public static TraceReader of(Path runDirectory) {
        return new TraceReader(new TraceFiles(new RunDirectory(runDirectory).trace()));
    }

    /**
     * An episode of the trace.
     *
     * @param length the number of steps T
     * @param stateSize the number of values of a state
     * @param states the simulator's states, (T + 1) × stateSize
     * @param rewards of every step, if they were paid for
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record RecordedEpisode(int length, int stateSize, float[] states, Optional<float[]> rewards) {}

    /** The drawing of the task, as JSON; empty if it has none. */
    public Optional<String> figure() {
        return text(files.figure());
    }

    /** The iterations that have a trace. */
    public int[] iterations() {
        return TraceFiles.in(files.iterations());
    }

    /** The trace of an iteration, as JSON. */
    public Optional<String> iteration(int iteration) {
        return text(files.iteration(iteration));
    }

    /** The chosen episode of largest weight in an iteration; the first episode if that is not known. */
    public int heaviest(int iteration) {
        JsonNode trace = iteration(iteration).map(new JsonMapper()::readTree).orElse(MissingNode.getInstance());
        int best = 0;
        for (int i = 1; i < trace.path("weights").size(); i++) {
            if (weight(trace, i) > weight(trace, best)) {
                best = i;
            }
        }
        return trace.path("chosen").path(best).asInt(0);
    }

    private static double weight(JsonNode trace, int place) {
        return trace.path("weights").path(place).asDouble(0);
    }

    /** The iterations whose episodes are kept; the newest one may not be finished. */
    public int[] withEpisodes() {
        return TraceFiles.in(files.episodes());
    }

    /** The newest iteration whose episodes are kept and of which it is known which were chosen; empty if there is none. */
    public OptionalInt newestChosen() {
        Set<Integer> traced = Arrays.stream(iterations()).boxed().collect(Collectors.toSet());
        return Arrays.stream(withEpisodes()).filter(traced::contains).max();
    }

    /** An episode of an iteration; empty if it is not kept. */
    public Optional<RecordedEpisode> episode(int iteration, int index) {
        Optional<Tensor> states =
                tensor(files.states(iteration), "states." + index).filter(tensor -> tensor.shape().length == 2);
        Optional<float[]> rewards =
                tensor(files.rewards(iteration), "rewards." + index).map(Tensor::values);
        return states.map(tensor ->
                new RecordedEpisode(Math.max(0, tensor.shape()[0] - 1), tensor.shape()[1], tensor.values(), rewards));
    }

    /** How to play an episode again; empty if it is not kept, or its task cannot play episodes again. */
    public Optional<Playback> playback(int iteration, int index) {
        return PlaybackTensors.read(name -> tensor(files.states(iteration), name), index);
    }

    /** Whether there are pictures of an episode. */
    public boolean hasFrames(int iteration, int index) {
        return FrameFile.has(files.frames(iteration), index);
    }

    /** The pictures of an episode; empty if there are none. */
    public Optional<Recording> frames(int iteration, int index) {
        return FrameFile.read(files.frames(iteration), index);
    }

    /** Empty also if the file was deleted in the meantime, since the oldest episodes make room for new ones. */
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
            return Optional.of(BoundedFile.text(file, MAX_BYTES));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }
}
