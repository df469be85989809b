package dev.pgkq.env;

/** What one step of an environment led to. A time limit is not among them: the rollout imposes it. */
public enum Outcome {
    /** The episode goes on. */
    CONTINUES,
    /** The task itself is over: a fall, a goal. The step that led here counts. */
    TERMINATED,
    /** The simulation blew up. The step that led here is void: it has no valid state after it. */
    DIVERGED
}
