package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.State;

/**
 * What a run has paid for.
 *
 * @param answers number of answers
 * @param cost what they cost
 * @param unanswered number of calls that count although they were not answered: they failed or are in doubt
 * @param unansweredCost what these cost
 */
public record Spent(long answers, double cost, long unanswered, double unansweredCost) {
    /** Nothing. */
    public static final Spent NOTHING = new Spent(0, 0, 0, 0);

    /** With an entry of the ledger. */
    public Spent and(LedgerEntry entry) {
        return new Spent(
                answers + (entry.state() == State.DONE ? 1 : 0),
                cost + entry.cost(),
                unanswered + entry.unanswered().calls(),
                unansweredCost + entry.unanswered().cost());
    }

    Spent andAnswer(double price) {
        return new Spent(answers + 1, cost + price, unanswered, unansweredCost);
    }

    Spent andUnanswered(double price) {
        return new Spent(answers, cost, unanswered + 1, unansweredCost + price);
    }

    /** The number of calls that count. */
    public long calls() {
        return answers + unanswered;
    }

    /** What all calls cost. */
    public double total() {
        return cost + unansweredCost;
    }
}
