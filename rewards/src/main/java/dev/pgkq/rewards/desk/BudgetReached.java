package dev.pgkq.rewards.desk;

import java.util.List;

/** The next rewards would cost more than may be spent. Nothing has been asked for; with a larger budget it goes on. */
public final class BudgetReached extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String option;
    private final String enough;

    /**
     * @param option that sets the budget
     * @param enough a value with which it goes on
     */
    BudgetReached(String message, String option, String enough) {
        super(message + ". To go on, resume with a larger " + option);
        this.option = option;
        this.enough = enough;
    }

    /** @throws BudgetReached if {@code more} would be too many */
    public static void unless(long limit, long paid, int more) {
        if (more > limit - paid) {
            throw new BudgetReached(
                    "the budget is spent: " + paid + " of " + limit
                            + " evaluations are paid for, and the next iteration may need " + more,
                    "--max-evaluations",
                    Long.toString(Math.max(2 * limit, paid + more)));
        }
    }

    /** What to add to the command that resumes the run: a budget with which it goes on, twice as large if that will do. */
    public List<String> larger() {
        return List.of(option, enough);
    }

    @Override
    public String getMessage() {
        return String.valueOf(super.getMessage());
    }
}
