package dev.pgkq.episode;

/** How an episode ended. */
public enum Ending {
    /** The task itself ended, for example by a fall or at a goal. */
    TERMINATED,
    /** The time limit was reached, or the environment cut the episode off; the task itself had not ended. */
    TRUNCATED,
    /** The simulation diverged; the episode holds the valid steps before that, possibly none. */
    DIVERGED
}
