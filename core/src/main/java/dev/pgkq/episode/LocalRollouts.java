package dev.pgkq.episode;

import dev.pgkq.env.Task;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Samples episodes on this machine. Each worker runs several simulators side by side and evaluates the policy for all of
 * them at once. When an episode ends, its simulator takes the next one that has not been started. Every random number is
 * keyed by the episode, and a row of the policy's output does not depend on the other rows, so the result does not depend on
 * the number of workers or on their speed.
 */
public final class LocalRollouts implements AutoCloseable {
    private final Task task;
    private final long seed;
    private final RolloutMode mode;
    private final Workers workers;
    private final @Nullable RolloutWorker[] rollouts;

    /**
     * Creates rollouts of a task. Simulators are opened on first use and closed with the rollouts.
     *
     * @param task the task to sample
     * @param seed keys every random number
     * @param mode whether to sample for training or for evaluation
     * @param workers the threads to use; not closed with the rollouts
     */
    public LocalRollouts(Task task, long seed, RolloutMode mode, Workers workers) {
        this.task = task;
        this.seed = seed;
        this.mode = mode;
        this.workers = workers;
        this.rollouts = new RolloutWorker[workers.count()];
    }

    /**
     * Samples episodes 0 … count − 1 of an iteration. The same arguments give the same bits.
     *
     * @param policy draws the actions; not modified
     * @param iteration the iteration of the run; keys the random numbers
     * @param count number of episodes
     * @return the episodes, in the order of their indices
     * @throws dev.pgkq.env.TaskFailureException if the task throws or an observation is not finite
     */
    public List<Episode> sample(Policy policy, int iteration, int count) {
        return sample(policy, iteration, 0, count);
    }

    /**
     * Samples episodes {@code first} … {@code first + count − 1} of an iteration. They are bit for bit the episodes that one
     * call for the whole batch would give.
     *
     * @param policy draws the actions; not modified
     * @param iteration the iteration of the run; keys the random numbers
     * @param first index of the first episode, from 0
     * @param count number of episodes
     * @return the episodes, in the order of their indices
     * @throws dev.pgkq.env.TaskFailureException if the task throws or an observation is not finite
     */
    public List<Episode> sample(Policy policy, int iteration, int first, int count) {
        Episode[] episodes = new Episode[count];
        AtomicInteger next = new AtomicInteger();
        // A small batch is distributed as well: no worker takes more at once than its share.
        int most = Math.ceilDiv(count, workers.count());
        workers.run(workers.count(), (worker, share) -> {
            RolloutWorker rollout = rollouts[worker];
            if (rollout == null) {
                rollout = new RolloutWorker(task, seed, mode);
                rollouts[worker] = rollout;
            }
            try {
                rollout.run(policy, iteration, most, first, next, episodes);
            } catch (RuntimeException e) {
                rollouts[worker] = null; // turns that had begun must not be taken for those of the next episodes
                rollout.close();
                throw e;
            }
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
