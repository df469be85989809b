package dev.pgkq.train;

/** What to do when an evaluation fails for good. */
public enum OnFailure {
    /** Continue with the other episodes, with new weights. */
    REWEIGHT,
    /** Evaluate other episodes of the batch instead. */
    REPLACE,
    /** Stop the run. */
    STOP
}
