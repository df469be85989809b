package dev.pgkq.app.training;

import dev.pgkq.rewards.desk.LostPayments;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.Spent;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.state.Snapshot;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run has paid for, as its checkpoints say. The ledger or the run's id may get lost; the budget must not start anew then.
 *
 * @param paid what the run has paid for
 * @param lost the part of it that the ledger does not have any more
 */
record SavedPayments(Spent paid, Spent lost) {
    private static final String PAID = "paid/";
    private static final String LOST = "lost/";
    /** After one of the others. */
    private static final String UNANSWERED = "unanswered/";

    private static final String EVALUATIONS = "evaluations";
    private static final String COST = "cost";

    /** What a saved state says; nothing in states of runs whose rewards are free. */
    static SavedPayments of(Snapshot snapshot) {
        return new SavedPayments(spent(snapshot.attributes(), PAID), spent(snapshot.attributes(), LOST));
    }

    private static Spent spent(Map<String, String> attributes, String prefix) {
        return new Spent(read(attributes, prefix), read(attributes, prefix + UNANSWERED));
    }

    private static Paid read(Map<String, String> attributes, String prefix) {
        try {
            return new Paid(
                    Long.parseLong(attributes.getOrDefault(prefix + EVALUATIONS, "0")),
                    new BigDecimal(attributes.getOrDefault(prefix + COST, "0")));
        } catch (NumberFormatException e) {
            return Paid.NOTHING; // not written by this program: its checksum is right
        }
    }

    /**
     * Checks that there is a ledger if anything should be in it: opening it would make a new one.
     *
     * @throws LostPayments if there is none
     */
    void requireLedger(String location) {
        Paid recorded = paid.minus(lost).answers();
        if (recorded.evaluations() > 0
                && LedgerLocation.parse(location) instanceof LedgerLocation.InFile(Path file)
                && !Files.exists(file)) {
            throw new LostPayments(recorded, Paid.NOTHING, location);
        }
    }

    /** The state with what the run has paid for. */
    static Snapshot add(Snapshot snapshot, RewardDesk desk) {
        Map<String, String> attributes = new LinkedHashMap<>(snapshot.attributes());
        write(attributes, PAID, desk.paid());
        if (!desk.lost().equals(Spent.NOTHING)) {
            write(attributes, LOST, desk.lost());
        }
        return new Snapshot(snapshot.tensors(), snapshot.counters(), attributes);
    }

    private static void write(Map<String, String> attributes, String prefix, Spent spent) {
        write(attributes, prefix, spent.answers());
        if (spent.unanswered().evaluations() > 0) {
            write(attributes, prefix + UNANSWERED, spent.unanswered());
        }
    }

    private static void write(Map<String, String> attributes, String prefix, Paid paid) {
        attributes.put(prefix + EVALUATIONS, Long.toString(paid.evaluations()));
        attributes.put(prefix + COST, paid.cost().stripTrailingZeros().toPlainString());
    }
}
