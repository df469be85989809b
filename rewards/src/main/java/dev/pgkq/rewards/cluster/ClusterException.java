package dev.pgkq.rewards.cluster;

import dev.pgkq.text.UserException;

/** A cluster cannot be used, or no longer. The message says what is wrong; {@link #problem} tells the cases apart. */
public final class ClusterException extends UserException {
    private static final long serialVersionUID = 1L;

    private final Problem problem;

    /** What can be wrong. */
    public enum Problem {
        /** The software that connects to clusters is not on the class path. */
        SOFTWARE,
        /** The address is not in the format of the cluster's software. */
        ADDRESS,
        /** There is no cluster at the address. */
        UNREACHABLE,
        /** The cluster started no executor in time. */
        NO_EXECUTORS,
        /** All executors are gone, and the cluster did not replace them in time. */
        EXECUTORS_LOST,
        /** The cluster's software reports an error. */
        FAILURE
    }

    /** Creates an exception for a problem. */
    public ClusterException(Problem problem, String message) {
        super(message);
        this.problem = problem;
    }

    /** Creates an exception for a problem with a known cause. */
    public ClusterException(Problem problem, String message, Throwable cause) {
        super(message, cause);
        this.problem = problem;
    }

    /** What is wrong. */
    public Problem problem() {
        return problem;
    }
}
