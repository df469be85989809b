package dev.pgkq.rewards.people;

/** What a rater is asked. */
public enum Rating {
    /** How good is this episode? A number on a scale. */
    SCALE,
    /** Which of these two is better? */
    COMPARE
}
