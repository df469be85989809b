package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.text.UserException;

/**
 * Thrown if the ledger knows of fewer evaluations than a saved run has paid for: it, or the id of the run, was lost or changed.
 * Nothing has been requested. The message has the figures.
 */
public final class LostPayments extends UserException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates an error.
     *
     * @param paid what the run had paid for when it was saved
     * @param found what the ledger has of it
     * @param ledger location of the ledger
     */
    public LostPayments(Paid paid, Paid found, String ledger) {
        this(paid, found, ledger, "");
    }

    LostPayments(Paid paid, Paid found, String ledger, String more) {
        super("when this run was saved, it had paid for " + paid + ", but the ledger " + ledger + " has " + found
                + " of it" + more);
    }
}
