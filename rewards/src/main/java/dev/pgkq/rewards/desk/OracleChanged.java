package dev.pgkq.rewards.desk;

import dev.pgkq.text.UserException;

/**
 * Thrown if the ledger has answers of the same evaluator with other contents: its script was edited, for instance, or it
 * is shown something else. Nothing has been requested. {@link RewardDesk#useVersion} says whether the answers are reused.
 */
public final class OracleChanged extends UserException {
    private static final long serialVersionUID = 1L;

    private final int version;

    OracleChanged(String message, int version) {
        super(message);
        this.version = version;
    }

    /** The version under which the answers were recorded. */
    public int version() {
        return version;
    }
}
