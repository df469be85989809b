package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.ledger.State;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of a run, and what the run has spent according to it. Both are opened when they are first needed, and what the run has
 * spent is counted once and then kept up to date. Thread-safe.
 */
final class RunAccount {
    private final Supplier<Ledger> opener;
    private final Budget budget;
    private final String run;
    private final Supplier<String> oracle;
    private @Nullable Opened opened;

    private record Opened(Ledger ledger, Spending spending) {}

    /**
     * @param opener opens the ledger
     * @param run name of the run in the ledger
     * @param oracle identity of the evaluator
     */
    RunAccount(Supplier<Ledger> opener, Budget budget, String run, Supplier<String> oracle) {
        this.opener = opener;
        this.budget = budget;
        this.run = run;
        this.oracle = oracle;
    }

    private synchronized Opened open() {
        if (opened == null) {
            Ledger ledger = opener.get();
            try {
                opened = new Opened(ledger, new Spending(budget, ledger, run, oracle.get()));
            } catch (RuntimeException e) {
                ledger.close();
                throw e;
            }
        }
        return opened;
    }

    private synchronized Optional<Opened> ifOpen() {
        return Optional.ofNullable(opened);
    }

    Ledger ledger() {
        return open().ledger;
    }

    Spending spending() {
        return open().spending;
    }

    /** What is in the ledger; nothing if it was not opened yet. */
    Spent spent() {
        return ifOpen().map(there -> there.spending.spent()).orElse(Spent.NOTHING);
    }

    /** What the run has paid for without being in the ledger any more. */
    Spent lost() {
        return ifOpen().map(there -> there.spending.lost()).orElse(Spent.NOTHING);
    }

    /** See {@link RewardDesk#resume}. */
    void resume(Spent paid, Spent lost, boolean acceptLoss) {
        Spent expected = paid.minus(lost);
        Spent found = spending().spent();
        Paid lostAnswers = missing(expected.answers(), found.answers());
        if (lostAnswers.evaluations() > 0 && !acceptLoss) {
            throw new LostPayments(expected.answers(), found.answers(), ledger().location(), otherNames());
        }
        Paid lostCalls = missing(expected.unanswered(), found.unanswered());
        spending().setLost(lost.plus(new Spent(lostAnswers, lostCalls)));
    }

    /** Sums of costs alone may differ by rounding. */
    private static Paid missing(Paid expected, Paid found) {
        return found.evaluations() < expected.evaluations() ? expected.minus(found) : Paid.NOTHING;
    }

    /** What the ledger has of runs whose folder had the same name: the id of this one may have changed. */
    private String otherNames() {
        Map<String, Paid> others = new TreeMap<>();
        ledger().read(entry -> {
            String name = entry.id().run();
            if (entry.state() == State.DONE
                    && !RunName.isSameRun(name, run)
                    && RunName.folder(name).equals(RunName.folder(run))) {
                others.merge(name, Paid.NOTHING.plus(entry.cost()), Paid::plus);
            }
        });
        return others.isEmpty()
                ? ""
                : "; it has "
                        + String.join(
                                " and ",
                                others.entrySet().stream()
                                        .map(other -> other.getValue() + " of " + other.getKey())
                                        .toList())
                        + ", while this run is " + run;
    }

    /** Checks that the ledger, if it is open, is the one that was opened. */
    void requireLedgerUnchanged() {
        ifOpen().ifPresent(there -> there.ledger.requireUnchanged());
    }

    /** Closes the ledger, if it is open. */
    void close() {
        ifOpen().ifPresent(there -> there.ledger.close());
    }
}
