package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.oracle.EvaluationException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a run has paid for, within its budget. A call is reserved before it is made and ends with its answer or its failure, so that
 * calls under way cannot exceed the budget together. Thread-safe.
 *
 * <p>A reserved call is expected to cost as much as the most expensive answer so far. So costs exceed the limit only if an answer
 * costs more than all before it.
 */
final class Spending {
    private static final MathContext DIGITS = new MathContext(6);
    private static final MathContext DIGITS_ROUNDED_UP = new MathContext(6, RoundingMode.CEILING);

    private final Budget budget;
    private final Set<LedgerKey> reserved = new HashSet<>();
    private Spent spent = Spent.NOTHING;
    private Spent lost = Spent.NOTHING;
    private double highest;
    private boolean hasAnswer;

    /**
     * Starts from what the run has paid for according to the ledger.
     *
     * @param oracle identity of the evaluator
     */
    Spending(Budget budget, Ledger ledger, String run, String oracle) {
        this.budget = budget;
        ledger.read(entry -> {
            if (RunName.isSameRun(entry.id().run(), run)) {
                spent = spent.and(entry);
                highest = Math.max(highest, entry.cost());
                hasAnswer |= entry.state() == State.DONE && entry.id().oracle().equals(oracle);
            }
        });
    }

    /** Whether the evaluator has answered in this run. */
    synchronized boolean hasAnswer() {
        return hasAnswer;
    }

    /** What is in the ledger, or on its way there. */
    synchronized Spent spent() {
        return spent;
    }

    /** Counts what was paid for without being in the ledger any more. */
    synchronized void setLost(Spent spending) {
        lost = spending;
    }

    /** What was paid for without being in the ledger any more. */
    synchronized Spent lost() {
        return lost;
    }

    /**
     * Reserves a call for each of the first of these evaluations, as many as the budget allows.
     *
     * @return their number
     */
    synchronized int reserve(List<LedgerKey> keys) {
        int count = 0;
        while (count < keys.size() && allows(reserved.size() + 1)) {
            reserved.add(keys.get(count++));
        }
        return count;
    }

    /** Ends a reservation for which no call was made. No effect if it has ended already. */
    synchronized void release(LedgerKey key) {
        reserved.remove(key);
    }

    /** Ends a reservation with an answer. */
    synchronized void answered(LedgerKey key, double price) {
        reserved.remove(key);
        spent = spent.andAnswer(price);
        highest = Math.max(highest, price);
        hasAnswer = true;
    }

    /** Ends a reservation with an answer that was paid for although the ledger has that of another run. */
    synchronized void answeredTwice(LedgerKey key, double price) {
        reserved.remove(key);
        lost = lost.andAnswer(price);
        highest = Math.max(highest, price);
        hasAnswer = true;
    }

    /**
     * Ends a reservation with a failure, and makes another one if the budget allows it.
     *
     * @param price of the failed call; empty if it was free
     * @param again whether another call is wanted
     * @return whether another call may be made
     */
    synchronized boolean failed(LedgerKey key, OptionalDouble price, boolean again) {
        reserved.remove(key);
        if (price.isPresent()) {
            spent = spent.andUnanswered(price.getAsDouble());
        }
        boolean allowed = again && allows(reserved.size() + 1);
        if (allowed) {
            reserved.add(key);
        }
        return allowed;
    }

    /** What a call costs if nothing is heard of it again; empty if it does not count then. */
    synchronized OptionalDouble costOfFailure() {
        if (budget.costOfFailure().isPresent()) {
            return unlessFree(budget.costOfFailure());
        }
        Paid answers = spent.answers();
        return OptionalDouble.of(
                answers.evaluations() > 0 ? answers.cost().doubleValue() / answers.evaluations() : budget.costOfOne());
    }

    /** What a failed call costs; empty if it was free. */
    OptionalDouble costOf(EvaluationException failure) {
        if (failure.call() == EvaluationException.Call.NOT_MADE) {
            return OptionalDouble.empty();
        }
        return failure.cost().isPresent() ? unlessFree(failure.cost()) : costOfFailure();
    }

    private static OptionalDouble unlessFree(OptionalDouble price) {
        return price.getAsDouble() > 0 ? price : OptionalDouble.empty();
    }

    private boolean allows(int calls) {
        return calls <= budget.evaluations() - total().evaluations() && allowsCost(calls);
    }

    private boolean allowsCost(int calls) {
        return budget.cost() == Double.POSITIVE_INFINITY
                || total().cost().add(expected(calls)).compareTo(BigDecimal.valueOf(budget.cost())) <= 0;
    }

    /** What counts against the budget. */
    private Paid total() {
        return spent.total().plus(lost.total());
    }

    private BigDecimal expected(int calls) {
        double price = spent.answers().evaluations() > 0 ? highest : budget.costOfOne();
        return BigDecimal.valueOf(price).multiply(BigDecimal.valueOf(calls));
    }

    /** The limit that does not allow another call, with what the next {@code more} calls need. */
    synchronized BudgetReached reached(int more) {
        Paid total = total();
        if (allowsCost(reserved.size() + 1)) {
            return BudgetReached.ofEvaluations(budget.evaluations(), total.evaluations(), more, unanswered());
        }
        BigDecimal limit = BigDecimal.valueOf(budget.cost());
        BigDecimal expected = expected(more);
        return new BudgetReached(
                "the budget is spent: " + rounded(total.cost()) + " of " + rounded(limit) + unanswered()
                        + ", and the next iteration needs about " + rounded(expected),
                BudgetReached.Limit.COST,
                limit.multiply(BigDecimal.TWO)
                        .max(total.cost().add(expected))
                        .round(DIGITS_ROUNDED_UP)
                        .stripTrailingZeros());
    }

    private String unanswered() {
        long calls = spent.unanswered().evaluations() + lost.unanswered().evaluations();
        return calls == 0 ? "" : " (" + calls + (calls == 1 ? " call" : " calls") + " without an answer)";
    }

    private static String rounded(BigDecimal value) {
        return value.round(DIGITS).stripTrailingZeros().toPlainString();
    }
}
