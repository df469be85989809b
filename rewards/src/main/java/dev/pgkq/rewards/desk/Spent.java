package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.State;
import java.math.BigDecimal;

/**
 * What a run has paid for.
 *
 * @param answers evaluations that were answered
 * @param unanswered calls that count although they were not answered: they failed or are in doubt
 */
public record Spent(Paid answers, Paid unanswered) {
    /** Nothing. */
    public static final Spent NOTHING = new Spent(Paid.NOTHING, Paid.NOTHING);

    /** With an entry of the ledger. */
    public Spent and(LedgerEntry entry) {
        LedgerEntry.Unanswered calls = entry.unanswered();
        return new Spent(
                entry.state() == State.DONE ? answers.plus(entry.cost()) : answers,
                unanswered.plus(new Paid(calls.calls(), BigDecimal.valueOf(calls.cost()))));
    }

    Spent andAnswer(double price) {
        return new Spent(answers.plus(price), unanswered);
    }

    Spent andUnanswered(double price) {
        return new Spent(answers, unanswered.plus(price));
    }

    /** Both together. */
    public Spent plus(Spent other) {
        return new Spent(answers.plus(other.answers), unanswered.plus(other.unanswered));
    }

    /** What is left without the other, and no less than nothing. */
    public Spent minus(Spent other) {
        return new Spent(answers.minus(other.answers), unanswered.minus(other.unanswered));
    }

    /** All calls that count. */
    public Paid total() {
        return answers.plus(unanswered);
    }
}
