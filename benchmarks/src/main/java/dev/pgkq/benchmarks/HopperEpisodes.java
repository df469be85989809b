package dev.pgkq.benchmarks;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The episodes that both Java and C step through: always the same, sampled with an untrained policy. */
final class HopperEpisodes {
    static final int COUNT = 64;
    static final int FRAME_SKIP = 4;
    private static final long SEED = 1;
    private static final int ITERATION = 1;

    private final Task task = Tasks.named("Hopper-v4");
    private final EnvironmentSpec spec = task.spec();
    private final Policy policy = Policy.initialize(spec, SEED);
    private final List<Episode> episodes;

    HopperEpisodes() {
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = source(workers)) {
            episodes = sample(rollouts, COUNT);
        }
    }

    LocalRollouts source(Workers workers) {
        return new LocalRollouts(task, SEED, RolloutMode.TRAINING, workers);
    }

    /** Samples the first {@code count} episodes; the same arguments give the same episodes. */
    List<Episode> sample(LocalRollouts source, int count) {
        return source.sample(policy, ITERATION, count);
    }

    int steps() {
        return episodes.stream().mapToInt(Episode::length).sum();
    }

    Environment open() {
        return task.open();
    }

    /** Steps through all of them and returns the sum of the final positions. */
    double replay(Environment environment, float[] action, double[] state) {
        double sum = 0;
        for (Episode episode : episodes) {
            environment.reset(RandomStream.of(SEED, Purpose.RESET, ITERATION, episode.index()));
            for (int t = 0; t < episode.length(); t++) {
                spec.toEnvironment(episode.actions(), t * action.length, action);
                environment.step(action);
            }
            environment.state(state);
            for (int i = 0; i < state.length / 2; i++) {
                sum += state[i];
            }
        }
        return sum;
    }

    /** Writes them in the format that {@code hopper_loop.c} reads. */
    void write(Path file) throws IOException {
        int half = spec.stateSize() / 2;
        int controls = spec.actionSize();
        int values = 4 + episodes.size() * (1 + 2 * half) + steps() * controls;
        ByteBuffer buffer = ByteBuffer.allocate(values * Double.BYTES).order(ByteOrder.nativeOrder());
        buffer.putDouble(half).putDouble(half).putDouble(controls).putDouble(episodes.size());
        float[] action = new float[controls];
        for (Episode episode : episodes) {
            buffer.putDouble(episode.length());
            for (int i = 0; i < 2 * half; i++) {
                buffer.putDouble(episode.states()[i]);
            }
            for (int t = 0; t < episode.length(); t++) {
                spec.toEnvironment(episode.actions(), t * controls, action);
                for (float each : action) {
                    buffer.putDouble(each);
                }
            }
        }
        Files.write(file, buffer.array());
    }
}
