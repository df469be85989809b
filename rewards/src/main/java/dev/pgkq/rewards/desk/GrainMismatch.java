package dev.pgkq.rewards.desk;

/**
 * Thrown if an evaluator gives one number for a whole episode, but training expects a reward for every step. The numbers cannot
 * be split up; a new run that expects one number per episode can use the answers that are in the ledger.
 */
public final class GrainMismatch extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String ledger;

    /** @param source the evaluator, or an answer */
    GrainMismatch(String source, String ledger) {
        super(source + " gives one number for a whole episode, but training expects a reward for every step");
        this.ledger = ledger;
    }

    /** Location of the ledger that holds what was paid for. */
    public String ledger() {
        return ledger;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
