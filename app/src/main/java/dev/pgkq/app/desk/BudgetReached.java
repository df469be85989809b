package dev.pgkq.app.desk;

/** The next rewards would cost more than may be spent. Nothing has been asked for; with a larger budget it goes on. */
public final class BudgetReached extends RuntimeException {
    private static final long serialVersionUID = 1L;

    BudgetReached(String message) {
        super(message);
    }

    /** @throws BudgetReached if {@code more} would be too many */
    public static void unless(long limit, long paid, int more) {
        if (more > limit - paid) {
            throw new BudgetReached("the budget is spent: " + paid + " of " + limit
                    + " evaluations are paid for, and the next iteration may need " + more
                    + ". To go on, resume with a larger --max-evaluations");
        }
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
