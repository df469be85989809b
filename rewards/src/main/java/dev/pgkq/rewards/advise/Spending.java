package dev.pgkq.rewards.advise;

import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.List;

/**
 * What an adviser has spent of its budget. A call whose score is not known is expected to cost as much as the most expensive score so
 * far, so costs exceed the limit only if a score costs more than all before it. Used by one thread at a time.
 */
final class Spending {
    private static final MathContext DIGITS = new MathContext(6);

    private final Budget budget;
    private long calls;
    private Paid answers = Paid.NOTHING;
    private double highest;

    Spending(Budget budget) {
        this.budget = budget;
    }

    /** What was spent according to the ledger. */
    static Spending of(Budget budget, Ledger ledger, String run) {
        Spending spending = new Spending(budget);
        ledger.read(entry -> {
            if (RunName.isSameRun(entry.id().run(), run)) {
                spending.called(entry.unanswered().calls());
                if (entry.state() == State.DONE) {
                    spending.called(1);
                    spending.answered(List.of(entry.cost()));
                }
            }
        });
        return spending;
    }

    /** Counts calls, or takes them back if the number is negative. */
    void called(long count) {
        calls += count;
    }

    /** Counts what calls have cost, now that they are answered. */
    void answered(List<Double> prices) {
        for (double price : prices) {
            answers = answers.plus(price);
            highest = Math.max(highest, price);
        }
    }

    /** The number of calls that count. */
    long calls() {
        return calls;
    }

    /** What answers have cost. */
    BigDecimal cost() {
        return answers.cost();
    }

    /** How many more calls the budget allows; {@code Long.MAX_VALUE} if there is no limit. */
    long left() {
        long byNumber =
                budget.evaluations() == Long.MAX_VALUE ? Long.MAX_VALUE : Math.max(0, budget.evaluations() - calls);
        return Math.min(byNumber, leftByCost());
    }

    private long leftByCost() {
        if (budget.cost() == Double.POSITIVE_INFINITY) {
            return Long.MAX_VALUE;
        }
        BigDecimal left = BigDecimal.valueOf(budget.cost()).subtract(answers.cost());
        long unanswered = calls - answers.evaluations();
        if (price() == 0) {
            // what one costs is not known before the first answer
            long most = answers.evaluations() > 0 ? Long.MAX_VALUE : Math.max(0, 1 - unanswered);
            return left.signum() < 0 ? 0 : most;
        }
        BigDecimal affordable = left.divide(BigDecimal.valueOf(price()), 0, RoundingMode.FLOOR);
        return affordable
                .subtract(BigDecimal.valueOf(unanswered))
                .max(BigDecimal.ZERO)
                .min(BigDecimal.valueOf(Long.MAX_VALUE))
                .longValue();
    }

    /** What a score costs that does not say it. */
    double costOfOne() {
        return budget.costOfOne();
    }

    /** What the next one is expected to cost; a score that was free says nothing of others. */
    private double price() {
        return highest > 0 ? highest : budget.costOfOne();
    }

    /** What is spent, in words, for when too little is left. */
    String words() {
        if (calls >= budget.evaluations() || budget.cost() == Double.POSITIVE_INFINITY) {
            return calls + " of " + budget.evaluations() + " evaluations were handed out";
        }
        long unanswered = calls - answers.evaluations();
        return "scores have cost " + rounded(answers.cost()) + " of " + rounded(BigDecimal.valueOf(budget.cost()))
                + (unanswered == 0 ? "" : ", " + unanswered + (unanswered == 1 ? " is" : " are") + " not known yet")
                + ", and one more is expected to cost "
                + (price() == 0 ? "something that is not known yet" : rounded(BigDecimal.valueOf(price())));
    }

    private static String rounded(BigDecimal value) {
        return value.round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
