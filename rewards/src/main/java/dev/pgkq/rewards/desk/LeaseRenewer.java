package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Renews the claims of pending evaluations, three times per lease, until it is closed. No error ends the renewal: a claim that
 * expires unnoticed lets another run buy the same reward.
 *
 * <p>A ledger out of reach retries, and may wait for longer than a lease. So every renewal has to end before the next one is due:
 * after most of that time it is interrupted, and soon after that it is abandoned. If claims cannot be renewed, that is reported
 * before they expire.
 */
final class LeaseRenewer implements AutoCloseable {
    private static final ThreadFactory THREADS =
            Thread.ofPlatform().name("pgkq-leases").daemon().factory();

    private final Ledger ledger;
    private final Consumer<String> errors;
    private final Consumer<String> losses;
    private final Duration interval;
    private final Set<LedgerKey> keys = ConcurrentHashMap.newKeySet();
    /** Claims that the last renewal did not extend. */
    private final Set<LedgerKey> missed = ConcurrentHashMap.newKeySet();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(THREADS);
    /** When the last successful renewal started; claims last at least for a lease after that. */
    private long renewed = System.nanoTime();

    /**
     * Starts without claims. To be created before the first claim is made, so that none is older than it assumes.
     *
     * @param errors receives renewal errors, each time one occurs
     * @param losses receives a warning about claims that another run has taken over, once for each claim
     */
    LeaseRenewer(Ledger ledger, Consumer<String> errors, Consumer<String> losses) {
        this.ledger = ledger;
        this.errors = errors;
        this.losses = losses;
        this.interval = Duration.ofMillis(Math.max(1, ledger.lease().toMillis() / 3));
        clock.scheduleAtFixedRate(this::renew, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Renews this claim from now on. */
    void add(LedgerKey key) {
        keys.add(key);
    }

    /** Stops renewing this claim. */
    void remove(LedgerKey key) {
        keys.remove(key);
        missed.remove(key);
    }

    private void renew() {
        long start = System.nanoTime();
        try {
            List<LedgerKey> pending = List.copyOf(keys);
            List<LedgerKey> unextended = pending.isEmpty() ? List.of() : renewInTime(pending);
            renewed = start;
            dropLost(unextended);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (DatabaseChanged e) {
            // There is nothing left to renew. A message now, because the answers that are out may take hours.
            report(errors, e.getMessage() + ". The run stops when the evaluations that are out have been answered");
            clock.shutdown();
        } catch (UserException e) {
            // A database may be out of reach for a while; that matters only if no other renewal comes in time.
            if (isLastBeforeExpiry(start)) {
                failed(String.valueOf(e.getMessage()));
            }
        } catch (Throwable e) {
            // A scheduled task that throws is never run again.
            failed("cannot renew claims in the ledger: internal error: " + e);
        }
    }

    /** Renews claims in another thread, because a driver may not respond to interrupts. */
    private List<LedgerKey> renewInTime(List<LedgerKey> pending) throws Throwable {
        CompletableFuture<List<LedgerKey>> renewal = new CompletableFuture<>();
        Thread thread = THREADS.newThread(() -> {
            try {
                renewal.complete(ledger.renew(pending));
            } catch (Throwable e) {
                renewal.completeExceptionally(e);
            }
        });
        thread.start();
        try {
            try {
                return renewal.get(interval.toNanos() * 10 / 12, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                thread.interrupt(); // a ledger that waits for its server stops waiting and names the cause
                return renewal.get(interval.toNanos() / 12, TimeUnit.NANOSECONDS);
            }
        } catch (TimeoutException e) {
            throw new UserException(
                    "cannot renew claims in the ledger " + ledger.location() + ": it does not respond", e);
        } catch (InterruptedException e) {
            thread.interrupt();
            throw e;
        } catch (ExecutionException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /**
     * Stops renewing claims that another run has taken over. A claim whose answer this run has just recorded is not extended
     * either, but is removed at once: only a claim that two renewals in a row did not extend is lost.
     */
    private void dropLost(List<LedgerKey> unextended) {
        List<LedgerKey> lost = new ArrayList<>();
        for (LedgerKey key : unextended) {
            if (missed.contains(key) && keys.remove(key)) {
                lost.add(key);
            }
        }
        missed.clear();
        missed.addAll(unextended);
        missed.retainAll(keys);
        if (!lost.isEmpty()) {
            report(
                    losses,
                    "another run has taken over " + lost.size()
                            + (lost.size() == 1 ? " evaluation; its" : " evaluations; their")
                            + " rewards may be paid for twice");
        }
    }

    private boolean isLastBeforeExpiry(long start) {
        long left = ledger.lease().toNanos() - (start - renewed);
        return left < 3 * interval.toNanos() / 2;
    }

    private void failed(String error) {
        report(
                errors,
                error + ". Until this is fixed, claims may expire, and another run may buy the same rewards again");
    }

    private void report(Consumer<String> receiver, String warning) {
        if (clock.isShutdown()) {
            return;
        }
        try {
            receiver.accept(warning);
        } catch (Throwable e) {
            // A report that fails must not end the renewal either.
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
