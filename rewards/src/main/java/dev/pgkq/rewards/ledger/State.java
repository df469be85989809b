package dev.pgkq.rewards.ledger;

import java.util.Locale;

/** The state of an evaluation in the ledger. */
public enum State {
    /** Requested; no attempt is under way. */
    REQUESTED,
    /** The oracle was asked and has not answered. */
    RUNNING,
    /** Answered. */
    DONE,
    /** Given up. */
    FAILED;

    /** The name in the database and in CSV files. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static State of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
