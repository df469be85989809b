package dev.pgkq.purchase;

/** How to handle rewards that do not arrive. */
public enum OnFailure {
    /** Continue with the rewards that arrived and compute new weights for their episodes. */
    REWEIGHT,
    /** Pay for other episodes of the batch instead. */
    REPLACE,
    /** Stop training. */
    STOP
}
