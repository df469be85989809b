package dev.pgkq.reward;

/** The result of requesting the rewards of an episode. */
public sealed interface Answer {
    /**
     * The rewards arrived.
     *
     * @param rewards the rewards of the episode
     */
    record Paid(Rewards rewards) implements Answer {}

    /**
     * The rewards will not arrive. This is not a reward of 0: nothing is known.
     *
     * @param reason a message for people
     */
    record Failed(String reason) implements Answer {}

    /**
     * The rewards were not requested, because they cannot be paid for.
     *
     * @param reason thrown if no rewards at all can be paid for
     */
    record NotBought(RuntimeException reason) implements Answer {}
}
