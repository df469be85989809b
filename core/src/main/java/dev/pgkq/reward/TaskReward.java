package dev.pgkq.reward;

import dev.pgkq.env.Task;
import dev.pgkq.env.Yardstick;

/** Rewards that every task with a {@link Yardstick} comes with. */
public enum TaskReward {
    /** The task's own. */
    BUILTIN(Grain.STEP, 0) {
        @Override
        public RewardOracle open(Task task) {
            return new EnvironmentReward(task);
        }
    },

    /** A bonus only while going well. */
    SPARSE(Grain.STEP, 0) {
        @Override
        public RewardOracle open(Task task) {
            double threshold = yardstick(task).goodStep();
            return new SparseReward(new EnvironmentReward(task), threshold);
        }
    },

    /** One score for a whole episode, by a rater who is not quite sure. */
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

    /** What it tells of an episode. */
    public Grain grain() {
        return grain;
    }

    /** Standard deviation of the noise that belongs to it. */
    public double noise() {
        return noise;
    }

    /** An oracle of it, without noise. */
    public abstract RewardOracle open(Task task);

    /** An oracle of it, with noise. */
    public RewardOracle open(Task task, double deviation, long seed) {
        RewardOracle exact = open(task);
        return deviation > 0 ? new NoisyReward(exact, grain, deviation, seed) : exact;
    }

    private static Yardstick yardstick(Task task) {
        return task.yardstick().orElseThrow(() -> new UnsupportedRewardException(task));
    }
}
