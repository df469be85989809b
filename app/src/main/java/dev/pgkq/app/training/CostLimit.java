package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.rewards.ledger.Paid;
import java.math.BigDecimal;
import java.util.Optional;

/**
 * A limit in money, as a number of evaluations at the mean price so far.
 *
 * @param most what the run may cost; empty if there is no limit
 * @param price of an evaluation as long as no answer has stated one; 0 if it is not known
 */
record CostLimit(Optional<BigDecimal> most, BigDecimal price) {
    /** No limit. */
    static final CostLimit NONE = new CostLimit(Optional.empty(), BigDecimal.ZERO);

    /** The limit that the settings of a run with external rewards give. */
    static CostLimit of(RunConfig config) {
        return new CostLimit(
                config.has(Setting.MAX_COST)
                        ? Optional.of(BigDecimal.valueOf(config.real(Setting.MAX_COST)))
                        : Optional.empty(),
                BigDecimal.valueOf(config.realOr(Setting.COST, 0)));
    }

    /**
     * The number of evaluations that the whole run can pay for. If nothing is known about the price, one more tells it.
     *
     * @param settled what the iterations before have cost, calls without an answer included
     * @param evaluations that the iterations before had; answers that the ledger knew have cost nothing
     */
    long evaluations(Paid settled, long evaluations) {
        if (most.isEmpty()) {
            return Long.MAX_VALUE;
        }
        boolean isKnown = settled.evaluations() > 0;
        BigDecimal cost = isKnown ? settled.cost() : price;
        if (cost.signum() == 0) {
            // calls without an answer may have been free where answers are not
            return isKnown && evaluations > 0 ? Long.MAX_VALUE : evaluations + 1;
        }
        BigDecimal left = most.get().subtract(settled.cost()).max(BigDecimal.ZERO);
        BigDecimal count = left.multiply(BigDecimal.valueOf(isKnown ? settled.evaluations() : 1))
                .divideToIntegralValue(cost);
        return count.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) > 0
                ? Long.MAX_VALUE
                : evaluations + count.longValue();
    }
}
