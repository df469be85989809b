package dev.pgkq.rewards.ledger;

/**
 * The name of a run in its ledger. Several machines may share a ledger and have run directories of the same name, so the name
 * carries an identifier: {@code name#id}.
 */
public final class RunName {
    private static final char SEPARATOR = '#';

    private RunName() {}

    /**
     * The name of a run with its identifier.
     *
     * @param id distinguishes the run from others of the same name; empty for runs that have none
     */
    public static String of(String name, String id) {
        return id.isEmpty() ? name : name + SEPARATOR + id;
    }

    /** The unique part of a name: the identifier, or the name if it has none. */
    public static String unique(String run) {
        return run.substring(run.indexOf(SEPARATOR) + 1);
    }

    /** The name without the identifier: that of the run's folder when the run was started. */
    public static String folder(String run) {
        int at = run.indexOf(SEPARATOR);
        return at < 0 ? run : run.substring(0, at);
    }

    /** Whether two names denote the same run. Directories may be renamed, so identifiers decide where both have one. */
    public static boolean isSameRun(String one, String other) {
        int at = one.indexOf(SEPARATOR);
        int otherAt = other.indexOf(SEPARATOR);
        return at < 0 || otherAt < 0 ? one.equals(other) : one.substring(at).equals(other.substring(otherAt));
    }
}
