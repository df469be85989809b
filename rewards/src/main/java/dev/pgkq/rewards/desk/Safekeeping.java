package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerAnswer;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Writes answers down, which have been paid for: into the ledger, and if that does not take one, because its disk is full or
 * its server gone, again and again until it does. Who wants to stop before that finds it in a {@linkplain Spool file}, and so
 * does the next process that opens the ledger.
 */
final class Safekeeping {
    private static final Duration BETWEEN_WRITES = Duration.ofSeconds(2);
    private static final Duration HURRY = Duration.ofMillis(100);
    private static final Duration BETWEEN_COMPLAINTS = Duration.ofMinutes(1);

    private final Supplier<Ledger> opening;
    private final Spool spool;
    private final RewardListener customer;
    private final double each;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile Optional<UserException> trouble = Optional.empty();
    private String complained = "";
    private long complainedAt;

    /**
     * @param ledger opens it
     * @param each what an answer cost that does not say
     */
    Safekeeping(Supplier<Ledger> ledger, Spool spool, RewardListener customer, double each) {
        this.opening = ledger;
        this.spool = spool;
        this.customer = customer;
        this.each = each;
    }

    /** Opens the ledger, and records in it what it did not take before. */
    Ledger open() {
        Ledger ledger = opening.get();
        try {
            List<Path> folders = spool.folders();
            if (!folders.isEmpty()) {
                deliver(folders, ledger);
            }
            return ledger;
        } catch (RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private void deliver(List<Path> folders, Ledger ledger) {
        Map<Path, EvaluationId> files = new LinkedHashMap<>();
        ledger.read(
                entry -> Spool.find(entry.wanted().key(), folders).ifPresent(file -> files.put(file, entry.wanted())));
        files.forEach((file, wanted) -> {
            ledger.done(wanted.key(), Spool.read(file, wanted.steps(), each));
            Spool.remove(file);
        });
        if (!files.isEmpty()) {
            customer.tell()
                    .accept("recorded " + files.size() + (files.size() == 1 ? " answer" : " answers")
                            + " that the ledger did not take before");
        }
    }

    /**
     * Notes an answer. One at a time: a ledger that takes nothing may be long in saying so, and who wants to stop must not wait
     * for every single one.
     *
     * @return the answer that counts
     * @throws UserException if somebody wants to stop before it is noted; it says where the answer is
     */
    LedgerAnswer keep(Ledger ledger, LedgerKey key, LedgerAnswer answer) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                boolean mine = false;
                try {
                    mine = writing.tryLock((interrupted ? HURRY : BETWEEN_WRITES).toMillis(), TimeUnit.MILLISECONDS);
                    if (mine) {
                        LedgerAnswer counts = interrupted ? doneAtOnce(ledger, key, answer) : ledger.done(key, answer);
                        trouble = Optional.empty();
                        return counts;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (UserException e) {
                    // an interrupt would spoil the files, too
                    interrupted |= Thread.interrupted();
                    trouble = Optional.of(e);
                } finally {
                    if (mine) {
                        writing.unlock();
                    }
                }
                interrupted |= waited(key, answer, interrupted);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Without waiting for a server to come back, as long as which the process may not live. */
    private static LedgerAnswer doneAtOnce(Ledger ledger, LedgerKey key, LedgerAnswer answer) {
        Thread.currentThread().interrupt();
        try {
            return ledger.done(key, answer);
        } finally {
            Thread.interrupted();
        }
    }

    /** Puts an answer aside if it is time for that, and otherwise waits a while; returns whether that was interrupted. */
    private boolean waited(LedgerKey key, LedgerAnswer answer, boolean hurry) {
        Optional<UserException> known = trouble;
        if (known.isEmpty()) {
            return false;
        }
        if (hurry || customer.stop().getAsBoolean()) {
            putAside(key, answer, known.get());
        } else {
            complain(known.get().getMessage()
                    + ". What was paid for is kept in memory and recorded when that is mended; Ctrl-C puts it"
                    + " into files and stops");
        }
        try {
            Thread.sleep(BETWEEN_WRITES);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Returns only if no file takes it either. */
    private void putAside(LedgerKey key, LedgerAnswer answer, UserException trouble) {
        Path file;
        try {
            file = spool.put(key, answer);
        } catch (UserException e) {
            complain(trouble.getMessage() + "; and " + e.getMessage()
                    + ". What was paid for is only in memory: make room for it; to stop at once would lose it");
            return;
        }
        throw new UserException(
                trouble.getMessage() + ". The answers that it did not take are files of " + file.getParent()
                        + "; resuming records them",
                trouble);
    }

    private synchronized void complain(String trouble) {
        long now = System.nanoTime();
        if (!trouble.equals(complained) || now - complainedAt > BETWEEN_COMPLAINTS.toNanos()) {
            complained = trouble;
            complainedAt = now;
            customer.tell().accept(trouble);
        }
    }
}
