package dev.pgkq.env;

/** The outcome of one step of an environment. The rollout enforces the time limit of {@link EnvironmentSpec#maxSteps} itself. */
public enum Outcome {
    /** The episode continues. */
    CONTINUES,
    /** The task itself ended, for example by a fall or at a goal. The step counts. */
    TERMINATED,
    /** The environment cut the episode off, although the task itself had not ended. The step counts. */
    TRUNCATED,
    /** The simulation diverged. The step does not count, because there is no valid state after it. */
    DIVERGED
}
