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
    CHECK(9);

    final long key;

    Purpose(long key) {
        this.key = key;
    }
}
