package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import java.math.BigDecimal;
import java.math.MathContext;

/** What a run has paid for, checked against its budget. Thread-safe. */
final class Spending {
    private static final MathContext DIGITS = new MathContext(6);
    /** Compensates for rounding to {@link #DIGITS}. */
    private static final double ROUNDED_UP = 1.00001;

    private final Budget budget;
    private long evaluations;
    private double cost;

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
        evaluations++;
        cost += price;
    }

    /**
     * Checks whether the budget allows more evaluations.
     *
     * @throws BudgetReached if it does not
     */
    synchronized void check(int more) {
        BudgetReached.checkEvaluations(budget.evaluations(), evaluations, more);
        double expected = more * (evaluations > 0 ? cost / evaluations : budget.costOfOne());
        // sums of costs are rounded
        if (cost + expected > budget.cost() * (1 + 1e-9)) {
            throw new BudgetReached(
                    "the budget is spent: " + rounded(cost).toPlainString() + " of "
                            + rounded(budget.cost()).toPlainString() + ", and the next iteration needs about "
                            + rounded(expected).toPlainString(),
                    BudgetReached.Limit.COST,
                    rounded(Math.max(2 * budget.cost(), (cost + expected) * ROUNDED_UP)));
        }
    }

    private static BigDecimal rounded(double value) {
        return new BigDecimal(value).round(DIGITS).stripTrailingZeros();
    }
}
