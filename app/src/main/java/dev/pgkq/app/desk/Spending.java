package dev.pgkq.app.desk;

import dev.pgkq.app.ledger.Ledger;
import dev.pgkq.app.ledger.State;
import java.math.BigDecimal;
import java.math.MathContext;

/** What a run has paid for, and what it may. */
final class Spending {
    /** Makes up for the digits that {@link #sum} leaves out. */
    private static final double ROUNDED_UP = 1.00001;

    private final Limits limits;
    private long evaluations;
    private double cost;

    /**
     * @param evaluations how many may be paid for
     * @param cost what they may cost together; infinity for any sum
     * @param each what one costs where the answer does not say
     */
    record Limits(long evaluations, double cost, double each) {
        Limits {
            if (evaluations < 0 || !(cost >= 0) || !(each >= 0 && each < Double.POSITIVE_INFINITY)) {
                throw new IllegalArgumentException(
                        "a budget is not negative: " + evaluations + ", " + cost + ", " + each);
            }
        }
    }

    /** Goes on from what the ledger says that the run has paid for. */
    Spending(Limits limits, Ledger ledger, String run) {
        this.limits = limits;
        ledger.read(entry -> {
            if (entry.state() == State.DONE && Desks.isSameRun(entry.wanted().run(), run)) {
                paid(entry.cost());
            }
        });
    }

    double each() {
        return limits.each;
    }

    synchronized void paid(double price) {
        evaluations++;
        cost += price;
    }

    /** @throws BudgetReached if so many more would be too many */
    synchronized void require(int more) {
        BudgetReached.unless(limits.evaluations, evaluations, more);
        double expected = more * (evaluations > 0 ? cost / evaluations : limits.each);
        // sums of prices are rounded
        if (cost + expected > limits.cost * (1 + 1e-9)) {
            throw new BudgetReached(
                    "the budget is spent: " + sum(cost) + " of " + sum(limits.cost)
                            + ", and the next iteration needs about " + sum(expected),
                    "--max-cost",
                    sum(Math.max(2 * limits.cost, (cost + expected) * ROUNDED_UP)));
        }
    }

    private static String sum(double value) {
        return new BigDecimal(value)
                .round(new MathContext(6))
                .stripTrailingZeros()
                .toPlainString();
    }
}
