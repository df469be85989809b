package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** What a run has paid for, checked against its budget. Thread-safe. */
final class Spending {
    private static final MathContext DIGITS = new MathContext(6);
    private static final MathContext DIGITS_ROUNDED_UP = new MathContext(6, RoundingMode.CEILING);

    private final Budget budget;
    private Paid recorded = Paid.NOTHING;
    private Paid lost = Paid.NOTHING;

    /** Starts from what the run has paid for according to the ledger. */
    Spending(Budget budget, Ledger ledger, String run) {
        this.budget = budget;
        ledger.read(entry -> {
            if (entry.state() == State.DONE && RunName.isSameRun(entry.id().run(), run)) {
                add(entry.cost());
            }
        });
    }

    /** Adds an evaluation that was paid for. */
    synchronized void add(double price) {
        recorded = recorded.plus(price);
    }

    /** Counts what was paid for without being in the ledger any more. */
    synchronized void setLost(Paid paid) {
        lost = paid;
    }

    /** What is in the ledger, or on its way there. */
    synchronized Paid recorded() {
        return recorded;
    }

    /** What was paid for without being in the ledger any more. */
    synchronized Paid lost() {
        return lost;
    }

    /**
     * Checks whether the budget allows more evaluations.
     *
     * @throws BudgetReached if it does not
     */
    synchronized void check(int more) {
        Paid paid = recorded.plus(lost);
        BudgetReached.checkEvaluations(budget.evaluations(), paid.evaluations(), more);
        if (budget.cost() == Double.POSITIVE_INFINITY) {
            return;
        }
        BigDecimal limit = BigDecimal.valueOf(budget.cost());
        BigDecimal expected = expected(paid, more);
        BigDecimal total = paid.cost().add(expected);
        if (total.compareTo(limit) > 0) {
            throw new BudgetReached(
                    "the budget is spent: " + rounded(paid.cost()) + " of " + rounded(limit)
                            + ", and the next iteration needs about " + rounded(expected),
                    BudgetReached.Limit.COST,
                    limit.multiply(BigDecimal.TWO)
                            .max(total)
                            .round(DIGITS_ROUNDED_UP)
                            .stripTrailingZeros());
        }
    }

    /** At the mean price so far. */
    private BigDecimal expected(Paid paid, int more) {
        BigDecimal count = BigDecimal.valueOf(more);
        return paid.evaluations() == 0
                ? BigDecimal.valueOf(budget.costOfOne()).multiply(count)
                : paid.cost().multiply(count).divide(BigDecimal.valueOf(paid.evaluations()), MathContext.DECIMAL128);
    }

    private static String rounded(BigDecimal value) {
        return value.round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
