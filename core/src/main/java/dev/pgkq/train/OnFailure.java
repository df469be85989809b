package dev.pgkq.train;

/** What to do about rewards that do not come. */
public enum OnFailure {
    /** Go on with the others, with new weights. */
    REWEIGHT,
    /** Pay for other episodes of the batch instead. */
    REPLACE,
    /** Stop. */
    STOP
}
