package dev.pgkq.rewards.people;

/** How raters judge episodes. */
public enum Rating {
    /** They give each episode a number on a scale. */
    SCALE,
    /** They decide which of two episodes is better. */
    COMPARE
}
