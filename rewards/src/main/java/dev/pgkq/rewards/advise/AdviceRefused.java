package dev.pgkq.rewards.advise;

import dev.pgkq.text.UserException;

/** A question or an answer that an adviser does not accept. Nothing has changed. */
public final class AdviceRefused extends UserException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Kinds of reasons. */
    public enum Reason {
        /** What was sent makes no sense: a shape, a number, an identifier. */
        INVALID,
        /** There is no such round. */
        UNKNOWN,
        /** It contradicts what was recorded before. */
        CONFLICT,
        /** The budget does not allow it. */
        BUDGET
    }

    private AdviceRefused(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    static AdviceRefused invalid(String message) {
        return new AdviceRefused(Reason.INVALID, message);
    }

    static AdviceRefused unknown(String message) {
        return new AdviceRefused(Reason.UNKNOWN, message);
    }

    static AdviceRefused conflict(String message) {
        return new AdviceRefused(Reason.CONFLICT, message);
    }

    static AdviceRefused budget(String message) {
        return new AdviceRefused(Reason.BUDGET, message);
    }

    /** Why. */
    public Reason reason() {
        return reason;
    }
}
