package dev.pgkq.episode;

import dev.pgkq.env.Task;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Samples episodes on this machine. Each worker runs several simulators side by side and asks the policy for all of
 * them at once; when an episode ends, its simulator takes the next one that nobody has begun. Every random number is
 * keyed by the episode, and a row of the policy's output does not depend on the other rows, so who sampled what next to
 * whom leaves no trace in the result.
 */
public final class LocalRollouts implements AutoCloseable {
    /** Simulators per worker: enough to share the policy's weights, few enough to balance the workers at the end. */
    private static final int SIMULATORS = 8;

    private final Task task;
    private final long seed;
    private final RolloutMode mode;
    private final Workers workers;
    private final @Nullable RolloutWorker[] rollouts;

    public LocalRollouts(Task task, long seed, RolloutMode mode, Workers workers) {
        this.task = task;
        this.seed = seed;
        this.mode = mode;
        this.workers = workers;
        this.rollouts = new RolloutWorker[workers.count()];
    }

    /** Episodes 0 … count − 1 of the iteration, in that order. The same arguments give the same bits. */
    public List<Episode> sample(GaussianPolicy policy, int iteration, int count) {
        return sample(policy, iteration, 0, count);
    }

    /** Episodes {@code first} and the ones after it, {@code count} in all. */
    public List<Episode> sample(GaussianPolicy policy, int iteration, int first, int count) {
        Episode[] episodes = new Episode[count];
        AtomicInteger next = new AtomicInteger();
        // A small batch is shared out, too: no worker takes more at once than its part.
        int atOnce = Math.min(SIMULATORS, Math.ceilDiv(count, workers.count()));
        workers.run(workers.count(), (worker, share) -> {
            RolloutWorker rollout = rollouts[worker];
            if (rollout == null) {
                rollout = new RolloutWorker(task, seed, mode);
                rollouts[worker] = rollout;
            }
            rollout.run(policy, iteration, atOnce, first, next, episodes);
        });
        return Arrays.asList(episodes);
    }

    @Override
    public void close() {
        for (RolloutWorker rollout : rollouts) {
            if (rollout != null) {
                rollout.close();
            }
        }
    }
}
