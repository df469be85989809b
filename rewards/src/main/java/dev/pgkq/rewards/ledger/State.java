package dev.pgkq.rewards.ledger;

import java.util.Locale;

/** How far an evaluation is. */
public enum State {
    /** EvaluationId; the oracle has nothing of it in hand. */
    REQUESTED,
    /** The oracle was asked and has not answered. */
    RUNNING,
    /** Answered. */
    DONE,
    /** Given up. */
    FAILED;

    /** As the database and the CSV have it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static State of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
