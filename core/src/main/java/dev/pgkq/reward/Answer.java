package dev.pgkq.reward;

/** What came of asking for the rewards of an episode. */
public sealed interface Answer {
    /** They are known. */
    record Paid(Rewards rewards) implements Answer {}

    /**
     * They will not come. That is no reward of 0: nothing is known.
     *
     * @param reason for people
     */
    record Failed(String reason) implements Answer {}
}
