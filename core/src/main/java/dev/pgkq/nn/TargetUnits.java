package dev.pgkq.nn;

/** The units in which a network is fitted to its targets. */
public enum TargetUnits {
    /** Running mean and deviation of the targets: what a network learns does not depend on the unit of its targets. */
    STANDARDIZED,
    /** The targets as they are: Adam needs the longer to reach them, the further they are from 0 in units of 1. */
    RAW
}
