package dev.pgkq.env;

/** The outcome of one step of an environment. The time limit is not one of them: the rollout enforces it. */
public enum Outcome {
    /** The episode continues. */
    CONTINUES,
    /** The task itself ended, for example by a fall or at a goal. The step counts. */
    TERMINATED,
    /** The simulation diverged. The step does not count, because there is no valid state after it. */
    DIVERGED
}
