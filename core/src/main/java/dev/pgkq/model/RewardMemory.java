package dev.pgkq.model;

import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.state.Snapshot;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;

/** The rewards paid for in the last iterations, as targets for the reward model: what a step earns does not change. */
final class RewardMemory {
    private final int capacity;
    private final Deque<RegressionTargets> iterations = new ArrayDeque<>();

    /** @param capacity iterations that are kept, the present one among them */
    RewardMemory(int capacity) {
        this.capacity = capacity;
    }

    /** Takes in the rewards of an iteration, and forgets the oldest where there are too many. */
    void add(RegressionTargets paid) {
        iterations.addLast(paid);
        while (iterations.size() > capacity) {
            iterations.removeFirst();
        }
    }

    /** All that is remembered, oldest first. */
    RegressionTargets all() {
        return joined(List.copyOf(iterations));
    }

    /** Where in {@link #all} the newest iteration starts. */
    int startOfNewest() {
        return iterations.stream()
                .limit(Math.max(0, iterations.size() - 1))
                .mapToInt(RegressionTargets::size)
                .sum();
    }

    private static RegressionTargets joined(List<RegressionTargets> parts) {
        return new RegressionTargets(
                parts.stream().mapToInt(RegressionTargets::size).sum(),
                concatenated(parts.stream().map(RegressionTargets::inputs).toList()),
                concatenated(parts.stream().map(RegressionTargets::values).toList()),
                concatenated(parts.stream().map(RegressionTargets::weights).toList()));
    }

    private static float[] concatenated(List<float[]> parts) {
        float[] all = new float[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    /** Saves what the next iteration will still remember. */
    void save(String name, Snapshot.Builder into) {
        List<RegressionTargets> kept = iterations.stream()
                .skip(Math.max(0, iterations.size() - (capacity - 1)))
                .toList();
        into.counter(name + ".iterations", kept.size());
        for (int i = 0; i < kept.size(); i++) {
            into.counter(name + ".size." + i, kept.get(i).size());
        }
        RegressionTargets all = joined(kept);
        into.tensor(name + ".inputs", all.inputs());
        into.tensor(name + ".values", all.values());
        into.tensor(name + ".weights", all.weights());
    }

    void restore(String name, Snapshot saved) {
        iterations.clear();
        float[] inputs = saved.tensor(name + ".inputs");
        float[] values = saved.tensor(name + ".values");
        float[] weights = saved.tensor(name + ".weights");
        int width = values.length == 0 ? 0 : inputs.length / values.length;
        List<RegressionTargets> restored = new ArrayList<>();
        int at = 0;
        for (int i = 0; i < saved.counter(name + ".iterations"); i++) {
            int size = Math.toIntExact(saved.counter(name + ".size." + i));
            restored.add(new RegressionTargets(
                    size,
                    Arrays.copyOfRange(inputs, at * width, (at + size) * width),
                    Arrays.copyOfRange(values, at, at + size),
                    Arrays.copyOfRange(weights, at, at + size)));
            at += size;
        }
        iterations.addAll(restored);
    }
}
