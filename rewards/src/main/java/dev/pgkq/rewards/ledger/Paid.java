package dev.pgkq.rewards.ledger;

import java.math.BigDecimal;

/**
 * What was paid for. Costs are added as decimal numbers, so that ten times 0.1 is 1, in any order.
 *
 * @param evaluations number of evaluations
 * @param cost their total cost
 */
public record Paid(long evaluations, BigDecimal cost) {
    /** No evaluations. */
    public static final Paid NOTHING = new Paid(0, BigDecimal.ZERO);

    /** Removes trailing zeros of the cost, so that equal costs are equal. */
    public Paid {
        cost = cost.stripTrailingZeros();
    }

    /** One more evaluation at this price. */
    public Paid plus(double price) {
        return new Paid(evaluations + 1, cost.add(BigDecimal.valueOf(price)));
    }

    /** Both together. */
    public Paid plus(Paid other) {
        return new Paid(evaluations + other.evaluations, cost.add(other.cost));
    }

    /** What is left without the other, and no less than nothing. */
    public Paid minus(Paid other) {
        return new Paid(
                Math.max(0, evaluations - other.evaluations),
                cost.subtract(other.cost).max(BigDecimal.ZERO));
    }

    /** The figures in words, such as {@code 35 evaluations, cost 8.75}. */
    @Override
    public String toString() {
        return evaluations
                + (evaluations == 1 ? " evaluation" : " evaluations")
                + (cost.signum() == 0
                        ? ""
                        : ", cost " + cost.stripTrailingZeros().toPlainString());
    }
}
