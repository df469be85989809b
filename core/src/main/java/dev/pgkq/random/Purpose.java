package dev.pgkq.random;

/**
 * What a stream of random numbers is for. Streams of different purposes are independent even when all their indices are
 * equal. The keys are part of what makes a run repeatable and must never be renumbered.
 */
public enum Purpose {
    /** Start values of the policy. */
    POLICY_INIT(1),
    /** Start values of the baseline. */
    VALUE_INIT(2),
    /** Start states of training episodes. */
    RESET(3),
    /** Actions. */
    ACTION(4),
    /** Minibatches of the policy step. */
    POLICY_SHUFFLE(5),
    /** Minibatches of the baseline. */
    VALUE_SHUFFLE(6),
    /** The choice of episodes to pay for. */
    SELECTION(7),
    /** Start states of evaluation episodes. */
    EVALUATION_RESET(8),
    /** Checks of environments, and tests. */
    CHECK(9),
    /** Frequencies of random features. */
    KERNEL_FEATURES(10),
    /** Start values of the kernel. */
    KERNEL_INIT(11),
    /** Minibatches of the kernel. */
    KERNEL_SHUFFLE(12),
    /** Start values of the reward model. */
    MEAN_INIT(13),
    /** Minibatches of the reward model. */
    MEAN_SHUFFLE(14),
    /** The projection of scores to a few dimensions. */
    SCORE_PROJECTION(15),
    /** The first block of eigenvector iterations. */
    EIGEN_START(16),
    /** Noise that a reward adds on purpose. */
    REWARD_NOISE(17),
    /** The choice of episodes in place of those whose reward failed. */
    SPARE(18),
    /** Features of the Bayesian reward model. */
    REWARD_FEATURES(19),
    /** Bootstrap intervals of reports; not used in training. */
    BOOTSTRAP(100),
    /** Length scales for the choice among logged episodes; not used in training. */
    LENGTH_SCALE(101);

    final long key;

    Purpose(long key) {
        this.key = key;
    }
}
