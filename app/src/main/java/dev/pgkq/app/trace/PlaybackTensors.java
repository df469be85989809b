package dev.pgkq.app.trace;

import dev.pgkq.env.Playback;
import dev.pgkq.state.Tensor;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** How to play an episode again, as tensors of single precision. A seed of up to 48 bits is stored in two parts. */
final class PlaybackTensors {
    private static final int HALF = 24;

    private PlaybackTensors() {}

    static Map<String, Tensor> of(int index, Playback episode) {
        int steps = episode.length();
        float[] checks = new float[steps];
        for (int t = 0; t < steps; t++) {
            checks[t] = episode.checks()[t];
        }
        float[] seed = {episode.seed() >>> HALF, episode.seed() & ((1 << HALF) - 1)};
        return Map.of(
                "seed." + index, Tensor.of(seed, 2),
                "actions." + index,
                        Tensor.of(episode.actions(), steps, steps == 0 ? 0 : episode.actions().length / steps),
                "checks." + index, Tensor.of(checks, steps));
    }

    static Optional<Playback> read(Function<String, Optional<Tensor>> source, int index) {
        Optional<float[]> seed =
                source.apply("seed." + index).map(Tensor::values).filter(parts -> parts.length == 2);
        Optional<float[]> actions = source.apply("actions." + index).map(Tensor::values);
        Optional<float[]> checks = source.apply("checks." + index).map(Tensor::values);
        if (seed.isEmpty() || actions.isEmpty() || checks.isEmpty()) {
            return Optional.empty();
        }
        int[] sums = new int[checks.get().length];
        for (int t = 0; t < sums.length; t++) {
            sums[t] = (int) checks.get()[t];
        }
        long whole = ((long) seed.get()[0] << HALF) + (long) seed.get()[1];
        return Optional.of(new Playback(whole, actions.get(), sums));
    }
}
