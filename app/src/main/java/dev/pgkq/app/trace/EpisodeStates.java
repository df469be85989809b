package dev.pgkq.app.trace;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.episode.Episode;
import dev.pgkq.rewards.files.Safetensors;
import dev.pgkq.state.Tensor;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The file with the states of episodes, from which a replay is drawn. */
final class EpisodeStates {
    private EpisodeStates() {}

    /**
     * Writes the file.
     *
     * @param chosen indices of the episodes that are paid for
     * @param canBePlayedAgain whether the file also has what playing them again needs
     */
    static void write(Path file, EnvironmentSpec spec, List<Episode> episodes, int[] chosen, boolean canBePlayedAgain) {
        Map<String, Tensor> states = new LinkedHashMap<>();
        for (Episode episode : episodes) {
            states.put("states." + episode.index(), shown(episode, spec));
            if (canBePlayedAgain) {
                states.putAll(PlaybackTensors.of(episode.index(), episode.playback(spec)));
            }
        }
        String indices = Arrays.stream(chosen).mapToObj(Integer::toString).collect(Collectors.joining(","));
        Safetensors.writeSoon(file, states, Map.of("chosen", indices));
    }

    /** Without what the task hides. */
    private static Tensor shown(Episode episode, EnvironmentSpec spec) {
        int hidden = spec.hiddenStates();
        int shown = spec.stateSize() - hidden;
        int rows = episode.states().length / spec.stateSize();
        float[] values = new float[rows * shown];
        for (int i = 0; i < values.length; i++) {
            values[i] = (float) episode.states()[i / shown * spec.stateSize() + hidden + i % shown];
        }
        return Tensor.of(values, rows, shown);
    }
}
