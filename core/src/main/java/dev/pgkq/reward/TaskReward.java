package dev.pgkq.reward;

import dev.pgkq.env.Task;
import dev.pgkq.env.Yardstick;

/** Rewards that are available for every task with a {@link Yardstick}; {@link #BUILTIN} for all tasks. */
public enum TaskReward {
    /** The task's own reward. */
    BUILTIN(Grain.STEP, 0) {
        @Override
        public RewardOracle open(Task task) {
            return new EnvironmentReward(task);
        }
    },

    /** 1 for good steps, 0 for the others. */
    SPARSE(Grain.STEP, 0) {
        @Override
        public RewardOracle open(Task task) {
            double threshold = yardstick(task).goodStep();
            return new SparseReward(new EnvironmentReward(task), threshold);
        }
    },

    /** One score for a whole episode, with the noise of an uncertain rater. */
    RATING(Grain.EPISODE, 0.5) {
        @Override
        public RewardOracle open(Task task) {
            Yardstick yardstick = yardstick(task);
            return new RatingReward(new EnvironmentReward(task), yardstick);
        }
    };

    private final Grain grain;
    private final double noise;

    TaskReward(Grain grain, double noise) {
        this.grain = grain;
        this.noise = noise;
    }

    /** {@return the granularity of the reward} */
    public Grain grain() {
        return grain;
    }

    /** {@return the default standard deviation of the noise; 0 for none} */
    public double noise() {
        return noise;
    }

    /**
     * Opens an oracle without noise.
     *
     * @param task the task whose episodes are evaluated
     * @return the oracle, which the caller closes
     * @throws UnsupportedRewardException if the task has no yardstick and this reward needs one
     */
    public abstract RewardOracle open(Task task);

    /**
     * Opens an oracle with noise.
     *
     * @param task the task whose episodes are evaluated
     * @param deviation standard deviation of the noise; 0 for none
     * @param seed keys the noise
     * @return the oracle, which the caller closes
     * @throws UnsupportedRewardException if the task has no yardstick and this reward needs one
     */
    public RewardOracle open(Task task, double deviation, long seed) {
        RewardOracle exact = open(task);
        return deviation > 0 ? new NoisyReward(exact, grain, deviation, seed) : exact;
    }

    private static Yardstick yardstick(Task task) {
        return task.yardstick().orElseThrow(() -> new UnsupportedRewardException(task));
    }
}
