package dev.pgkq.app.ledger;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** What was spent, on what, how long it took and what failed: entries in, sums out. */
public final class LedgerReport implements Consumer<LedgerEntry> {
    private final Spending all = new Spending();
    private final Map<String, Spending> byTask = new TreeMap<>();
    private final Map<String, Spending> byRun = new TreeMap<>();
    private final Map<String, Failures> failures = new TreeMap<>();
    private final List<Double> seconds = new ArrayList<>();

    /** Sums over some entries. */
    public static final class Spending {
        private int answers;
        private double cost;
        private int attempts;
        private int inDoubt;
        private int reused;
        private int failed;
        private int running;
        private int waiting;
        private int damaged;

        private void add(LedgerEntry entry) {
            answers += entry.state() == State.DONE ? 1 : 0;
            cost += entry.cost();
            attempts += entry.attempts();
            inDoubt += entry.inDoubt();
            reused += entry.reused();
            failed += entry.state() == State.FAILED ? 1 : 0;
            running += entry.state() == State.RUNNING ? 1 : 0;
            waiting += entry.state() == State.REQUESTED ? 1 : 0;
            damaged += entry.answered() != null && entry.answered().damaged() ? 1 : 0;
        }

        /** Evaluations that were paid for. */
        public int answers() {
            return answers;
        }

        public double cost() {
            return cost;
        }

        /** How often oracles were asked. */
        public int attempts() {
            return attempts;
        }

        /** How often nobody knows what became of that. */
        public int inDoubt() {
            return inDoubt;
        }

        /** How often an answer was wanted again and not paid for. */
        public int reused() {
            return reused;
        }

        /** Evaluations that were given up. */
        public int failed() {
            return failed;
        }

        /** Evaluations that an oracle has in hand. */
        public int running() {
            return running;
        }

        /** Evaluations that are wanted and that no oracle has in hand. */
        public int waiting() {
            return waiting;
        }

        /** Answers that are not what was recorded. */
        public int damaged() {
            return damaged;
        }
    }

    /**
     * Evaluations that failed alike.
     *
     * @param example what one of them said
     * @param forGood how many were given up
     * @param passing how many failed and were answered later, or still may be
     */
    public record Failures(String example, int forGood, int passing) {
        public int count() {
            return forGood + passing;
        }
    }

    @Override
    public void accept(LedgerEntry entry) {
        all.add(entry);
        byTask.computeIfAbsent(entry.wanted().task(), task -> new Spending()).add(entry);
        byRun.computeIfAbsent(entry.wanted().run(), run -> new Spending()).add(entry);
        entry.took().ifPresent(took -> seconds.add(Math.max(0, took.toMillis()) / 1e3));
        if (!entry.error().isEmpty()) {
            boolean forGood = entry.state() == State.FAILED;
            failures.merge(
                    kind(entry.error()),
                    new Failures(entry.error(), forGood ? 1 : 0, forGood ? 0 : 1),
                    (one, other) ->
                            new Failures(one.example, one.forGood + other.forGood, one.passing + other.passing));
        }
    }

    /** Errors that differ in numbers only (times, ports, process ids) are of one kind. */
    private static String kind(String error) {
        return error.replaceAll("[0-9]+", "0");
    }

    public Spending all() {
        return all;
    }

    public Map<String, Spending> byTask() {
        return byTask;
    }

    /** By the run that asked first. */
    public Map<String, Spending> byRun() {
        return byRun;
    }

    /** How long oracles took for each answer. */
    public double[] seconds() {
        return seconds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** What failed and why, the most frequent first. */
    public List<Failures> failures() {
        return failures.values().stream()
                .sorted(Comparator.comparingInt(Failures::count).reversed())
                .toList();
    }
}
