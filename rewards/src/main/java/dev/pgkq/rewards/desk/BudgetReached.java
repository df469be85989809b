package dev.pgkq.rewards.desk;

import java.math.BigDecimal;

/**
 * The budget does not allow the next rewards, which have not been requested. If it allows none, training throws this, and the run can
 * continue with a larger budget. The message states what was spent and what the next iteration needs.
 */
public final class BudgetReached extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Limit limit;
    private final BigDecimal sufficient;

    /** The limits of a {@link Budget}. */
    public enum Limit {
        /** {@link Budget#evaluations}. */
        EVALUATIONS,
        /** {@link Budget#cost}. */
        COST
    }

    BudgetReached(String message, Limit limit, BigDecimal sufficient) {
        super(message);
        this.limit = limit;
        this.sufficient = sufficient;
    }

    /**
     * Checks a number of evaluations against a limit. The last iteration pays for what is left, so one is enough.
     *
     * @param limit maximum number of evaluations
     * @param paid number of evaluations paid for so far
     * @param more number of evaluations that the next iteration may need
     * @throws BudgetReached if the limit does not allow any
     */
    public static void checkEvaluations(long limit, long paid, int more) {
        if (paid >= limit) {
            throw ofEvaluations(limit, paid, more, "");
        }
    }

    static BudgetReached ofEvaluations(long limit, long paid, int more, String remark) {
        return new BudgetReached(
                "the budget is spent: " + paid + " of " + limit + " evaluations are paid for" + remark
                        + ", and the next iteration may need " + more,
                Limit.EVALUATIONS,
                BigDecimal.valueOf(Math.max(2 * limit, paid + more)));
    }

    /** The limit that was reached. */
    public Limit limit() {
        return limit;
    }

    /** A value of the limit that lets the run continue: twice the present one, or more if the next iteration needs more. */
    public BigDecimal sufficient() {
        return sufficient;
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
