package dev.pgkq.random;

/**
 * What a stream of random numbers is for. Streams of different purposes are independent even when all their indices are
 * equal. The keys are part of what makes a run repeatable: never renumber them.
 */
public enum Purpose {
    POLICY_INIT(1),
    VALUE_INIT(2),
    RESET(3),
    ACTION(4),
    POLICY_SHUFFLE(5),
    VALUE_SHUFFLE(6),
    SELECTION(7),
    EVALUATION_RESET(8),
    CHECK(9),
    KERNEL_FEATURES(10),
    KERNEL_INIT(11),
    KERNEL_SHUFFLE(12),
    MEAN_INIT(13),
    MEAN_SHUFFLE(14),
    SCORE_PROJECTION(15),
    EIGEN_START(16),
    REWARD_NOISE(17),
    SPARE(18),
    /** Of reports, not of training. */
    BOOTSTRAP(100),
    /** Of the choice among logged episodes, not of training. */
    LENGTH_SCALE(101);

    final long key;

    Purpose(long key) {
        this.key = key;
    }
}
