package dev.pgkq.rewards.ledger;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Summarizes ledger entries: costs by task and run, durations, and failures. Pass it to {@link Ledger#read}. */
public final class LedgerReport implements Consumer<LedgerEntry> {
    private final Totals all = new Totals();
    private final Map<String, Totals> byTask = new TreeMap<>();
    private final Map<String, Totals> byRun = new TreeMap<>();
    private final Map<String, Failures> failures = new TreeMap<>();
    private final List<Double> seconds = new ArrayList<>();

    /** Sums over a group of entries. */
    public static final class Totals {
        private int answers;
        private BigDecimal cost = BigDecimal.ZERO;
        private int attempts;
        private int inDoubt;
        private int unanswered;
        private double unansweredCost;
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
            cost = cost.add(BigDecimal.valueOf(entry.cost()));
            attempts += entry.attempts();
            inDoubt += entry.inDoubt() + (entry.isInDoubt() ? 1 : 0);
            unanswered += entry.unanswered().calls();
            unansweredCost += entry.unanswered().cost();
            reused += entry.reused();
            failedAttempts += failedAttempts(entry);
            failed += entry.state() == State.FAILED ? 1 : 0;
            running += entry.state() == State.RUNNING && !entry.isInDoubt() ? 1 : 0;
            leftInDoubt += entry.isInDoubt() ? 1 : 0;
            waiting += entry.state() == State.REQUESTED && !entry.isNotBought() ? 1 : 0;
            notBought += entry.isNotBought() ? 1 : 0;
            damaged += entry.answered() != null && entry.answered().damaged() ? 1 : 0;
        }

        /** Attempts that were not answered, are not in doubt and are not under way. */
        private static int failedAttempts(LedgerEntry entry) {
            boolean last = entry.state() == State.DONE || entry.state() == State.RUNNING;
            return Math.max(0, entry.attempts() - entry.inDoubt() - (last ? 1 : 0));
        }

        /** Number of evaluations that were answered, and so paid for. */
        public int answers() {
            return answers;
        }

        /** Total cost of the answers, added exactly. */
        public double cost() {
            return cost.doubleValue();
        }

        /** Number of times an oracle was asked. */
        public int attempts() {
            return attempts;
        }

        /** Number of attempts whose outcome is unknown. */
        public int inDoubt() {
            return inDoubt;
        }

        /** Number of calls that count although they were not answered, with those under way. */
        public int unanswered() {
            return unanswered;
        }

        /** Total cost of the calls that were not answered. */
        public double unansweredCost() {
            return unansweredCost;
        }

        /** Number of times an answer was used again without paying. */
        public int reused() {
            return reused;
        }

        /** Number of attempts that failed. */
        public int failedAttempts() {
            return failedAttempts;
        }

        /** Number of evaluations that were given up. */
        public int failed() {
            return failed;
        }

        /** Number of evaluations with an attempt under way. */
        public int running() {
            return running;
        }

        /** Number of evaluations that are in doubt now: an attempt is under way, but its owner is gone. */
        public int leftInDoubt() {
            return leftInDoubt;
        }

        /** Number of evaluations that are requested and have no attempt under way. */
        public int waiting() {
            return waiting;
        }

        /** Number of evaluations that were requested but never attempted. */
        public int notBought() {
            return notBought;
        }

        /** Number of evaluations that are running, in doubt or waiting. */
        public int open() {
            return running + leftInDoubt + waiting;
        }

        /** Number of answers whose stored values are damaged. */
        public int damaged() {
            return damaged;
        }
    }

    /**
     * Evaluations that failed for the same kind of reason ({@link FailureKind}).
     *
     * @param example error message of the newest
     * @param newest the newest
     * @param when when the newest failed, as far as it is known
     * @param givenUp number of evaluations that were given up
     * @param retried number of evaluations that were answered later, or may still be
     */
    public record Failures(String example, EvaluationId newest, Instant when, int givenUp, int retried) {
        /** Number of evaluations that failed this way. */
        public int count() {
            return givenUp + retried;
        }

        private Failures and(Failures other) {
            Failures last = other.when.isBefore(when) ? this : other;
            return new Failures(last.example, last.newest, last.when, givenUp + other.givenUp, retried + other.retried);
        }

        private static Failures of(LedgerEntry entry) {
            Instant when = entry.finished() != null
                    ? entry.finished()
                    : entry.started() != null ? entry.started() : entry.requested();
            boolean givenUp = entry.state() == State.FAILED;
            return new Failures(entry.error(), entry.id(), when, givenUp ? 1 : 0, givenUp ? 0 : 1);
        }
    }

    @Override
    public void accept(LedgerEntry entry) {
        all.add(entry);
        byTask.computeIfAbsent(entry.id().task(), task -> new Totals()).add(entry);
        byRun.computeIfAbsent(entry.id().run(), run -> new Totals()).add(entry);
        entry.took().ifPresent(took -> seconds.add(Math.max(0, took.toMillis()) / 1e3));
        if (!entry.error().isEmpty()) {
            failures.merge(FailureKind.of(entry.error()), Failures.of(entry), Failures::and);
        }
    }

    /** Totals of all entries. */
    public Totals all() {
        return all;
    }

    /** Totals by task id. */
    public Map<String, Totals> byTask() {
        return byTask;
    }

    /** Totals by the run that requested an evaluation first. */
    public Map<String, Totals> byRun() {
        return byRun;
    }

    /** Duration of every answered evaluation, in seconds. */
    public double[] seconds() {
        return seconds.stream().mapToDouble(Double::doubleValue).toArray();
    }

    /** Failures by kind, the most frequent first. */
    public List<Failures> failures() {
        return failures.values().stream()
                .sorted(Comparator.comparingInt(Failures::count).reversed())
                .toList();
    }
}
