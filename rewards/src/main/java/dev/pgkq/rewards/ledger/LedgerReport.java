package dev.pgkq.rewards.ledger;

import java.time.Instant;
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
        private int failedAttempts;
        private int failed;
        private int running;
        private int leftInDoubt;
        private int waiting;
        private int notBought;
        private int damaged;

        private void add(LedgerEntry entry) {
            answers += entry.state() == State.DONE ? 1 : 0;
            cost += entry.cost();
            attempts += entry.attempts();
            inDoubt += entry.inDoubt() + (entry.isInDoubt() ? 1 : 0);
            reused += entry.reused();
            failedAttempts += failedAttempts(entry);
            failed += entry.state() == State.FAILED ? 1 : 0;
            running += entry.state() == State.RUNNING && !entry.isInDoubt() ? 1 : 0;
            leftInDoubt += entry.isInDoubt() ? 1 : 0;
            waiting += entry.state() == State.REQUESTED && !entry.isNotBought() ? 1 : 0;
            notBought += entry.isNotBought() ? 1 : 0;
            damaged += entry.answered() != null && entry.answered().damaged() ? 1 : 0;
        }

        /** Those that neither were answered nor are in doubt nor under way. */
        private static int failedAttempts(LedgerEntry entry) {
            boolean last = entry.state() == State.DONE || entry.state() == State.RUNNING;
            return Math.max(0, entry.attempts() - entry.inDoubt() - (last ? 1 : 0));
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

        /** How often an oracle was asked and failed. */
        public int failedAttempts() {
            return failedAttempts;
        }

        /** Evaluations that were given up. */
        public int failed() {
            return failed;
        }

        /** Evaluations that an oracle has in hand. */
        public int running() {
            return running;
        }

        /** Evaluations of which an oracle was asked by somebody who is gone. */
        public int leftInDoubt() {
            return leftInDoubt;
        }

        /** Evaluations that are wanted and that no oracle has in hand. */
        public int waiting() {
            return waiting;
        }

        /** Evaluations that were chosen and never asked for. */
        public int notBought() {
            return notBought;
        }

        /** Evaluations that somebody is to be asked for, or was. */
        public int open() {
            return running + leftInDoubt + waiting;
        }

        /** Answers that are not what was recorded. */
        public int damaged() {
            return damaged;
        }
    }

    /**
     * Evaluations that failed alike.
     *
     * @param example what the newest of them said
     * @param newest the newest of them
     * @param forGood how many were given up
     * @param passing how many failed and were answered later, or still may be
     */
    public record Failures(String example, EvaluationId newest, Instant when, int forGood, int passing) {
        public int count() {
            return forGood + passing;
        }

        private Failures and(Failures other) {
            Failures last = other.when.isBefore(when) ? this : other;
            return new Failures(last.example, last.newest, last.when, forGood + other.forGood, passing + other.passing);
        }

        private static Failures of(LedgerEntry entry) {
            Instant when = entry.finished() != null
                    ? entry.finished()
                    : entry.started() != null ? entry.started() : entry.requested();
            boolean forGood = entry.state() == State.FAILED;
            return new Failures(entry.error(), entry.wanted(), when, forGood ? 1 : 0, forGood ? 0 : 1);
        }
    }

    @Override
    public void accept(LedgerEntry entry) {
        all.add(entry);
        byTask.computeIfAbsent(entry.wanted().task(), task -> new Spending()).add(entry);
        byRun.computeIfAbsent(entry.wanted().run(), run -> new Spending()).add(entry);
        entry.took().ifPresent(took -> seconds.add(Math.max(0, took.toMillis()) / 1e3));
        if (!entry.error().isEmpty()) {
            failures.merge(FailureKind.of(entry.error()), Failures.of(entry), Failures::and);
        }
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
