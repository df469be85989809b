package dev.pgkq.model;

import dev.pgkq.nn.RegressionTargets;
import dev.pgkq.state.Snapshot;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The paid rewards of the last iterations. They stay valid because the reward of a step does not depend on the policy.
 */
final class RewardMemory {
    private final int capacity;
    private final Deque<KnownRewards> iterations = new ArrayDeque<>();

    /** @param capacity number of iterations that are kept, including the current one */
    RewardMemory(int capacity) {
        this.capacity = capacity;
    }

    /** Adds the rewards of an iteration, and drops the oldest ones beyond the capacity. */
    void add(KnownRewards paid) {
        iterations.addLast(paid);
        while (iterations.size() > capacity) {
            iterations.removeFirst();
        }
    }

    /** All rewards, oldest first. */
    KnownRewards all() {
        return KnownRewards.joined(List.copyOf(iterations));
    }

    /** Episodes in {@link #all} before the newest iteration's. */
    int oldEpisodes() {
        return iterations.stream()
                .limit(Math.max(0, iterations.size() - 1))
                .mapToInt(KnownRewards::episodes)
                .sum();
    }

    /**
     * Saves what the next iteration will still remember.
     *
     * @param width values of z, for the shape of the inputs
     */
    void save(String name, int width, Snapshot.Builder into) {
        List<KnownRewards> kept = iterations.stream()
                .skip(Math.max(0, iterations.size() - (capacity - 1)))
                .toList();
        into.counter(name + "/iterations", kept.size());
        for (int i = 0; i < kept.size(); i++) {
            into.counter(name + "/episodes/" + i, kept.get(i).episodes());
        }
        KnownRewards all = KnownRewards.joined(kept);
        float[] lengths = new float[all.episodes()];
        for (int e = 0; e < lengths.length; e++) {
            lengths[e] = all.starts()[e + 1] - all.starts()[e];
        }
        int steps = all.steps().size();
        into.tensor(name + "/lengths", lengths, lengths.length);
        into.tensor(name + "/inputs", all.steps().inputs(), steps, width);
        into.tensor(name + "/rewards", all.steps().values(), steps);
        into.tensor(name + "/weights", all.steps().weights(), steps);
    }

    /**
     * Restores what {@link #save} saved.
     *
     * @throws IllegalArgumentException if the saved state does not fit
     */
    void restore(String name, int width, Snapshot saved) {
        float[] lengths = saved.tensor(name + "/lengths").values();
        float[] values = saved.tensor(name + "/rewards").values();
        int[] starts = new int[lengths.length + 1];
        for (int e = 0; e < lengths.length; e++) {
            starts[e + 1] = starts[e] + part(name + "/lengths", (long) lengths[e], values.length - starts[e]);
        }
        int[] counts = new int[part(name + "/iterations", saved.counter(name + "/iterations"), capacity)];
        int left = lengths.length;
        for (int i = 0; i < counts.length; i++) {
            String episodes = name + "/episodes/" + i;
            counts[i] = part(episodes, saved.counter(episodes), left);
            left -= counts[i];
        }
        if (left > 0) {
            throw new IllegalArgumentException(
                    "'" + name + "' of the saved state has " + left + " episodes that belong to no iteration");
        }
        KnownRewards all = new KnownRewards(
                starts,
                new RegressionTargets(
                        starts[lengths.length],
                        saved.values(name + "/inputs", values.length, width),
                        values,
                        saved.values(name + "/weights", values.length)));
        iterations.clear();
        iterations.addAll(all.cut(counts));
    }

    /** Checks a saved count. */
    private static int part(String name, long count, int available) {
        if (count < 0 || count > available) {
            throw new IllegalArgumentException(
                    "'" + name + "' of the saved state is " + count + ", but must be in 0 … " + available);
        }
        return (int) count;
    }
}
