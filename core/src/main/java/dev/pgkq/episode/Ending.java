package dev.pgkq.episode;

/** How an episode ended. */
public enum Ending {
    /** The task was over: a fall, a goal. */
    TERMINATED,
    /** The time limit was reached; the task would have gone on. */
    TRUNCATED,
    /** The simulation blew up; the episode holds the valid steps before that, possibly none. */
    DIVERGED
}
