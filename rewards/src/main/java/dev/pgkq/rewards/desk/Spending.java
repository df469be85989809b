package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import java.math.BigDecimal;
import java.math.MathContext;

/** What a run has paid for, and what it may. */
final class Spending {
    /** Makes up for the digits that {@link #sum} leaves out. */
    private static final double ROUNDED_UP = 1.00001;

    private final Budget budget;
    private long evaluations;
    private double cost;

    /** Goes on from what the ledger says that the run has paid for. */
    Spending(Budget budget, Ledger ledger, String run) {
        this.budget = budget;
        ledger.read(entry -> {
            if (entry.state() == State.DONE && RunName.isSameRun(entry.wanted().run(), run)) {
                paid(entry.cost());
            }
        });
    }

    double each() {
        return budget.costOfOne();
    }

    synchronized void paid(double price) {
        evaluations++;
        cost += price;
    }

    /** @throws BudgetReached if so many more would be too many */
    synchronized void require(int more) {
        BudgetReached.unless(budget.evaluations(), evaluations, more);
        double expected = more * (evaluations > 0 ? cost / evaluations : budget.costOfOne());
        // sums of prices are rounded
        if (cost + expected > budget.cost() * (1 + 1e-9)) {
            throw new BudgetReached(
                    "the budget is spent: " + sum(cost) + " of " + sum(budget.cost())
                            + ", and the next iteration needs about " + sum(expected),
                    "--max-cost",
                    sum(Math.max(2 * budget.cost(), (cost + expected) * ROUNDED_UP)));
        }
    }

    private static String sum(double value) {
        return new BigDecimal(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
