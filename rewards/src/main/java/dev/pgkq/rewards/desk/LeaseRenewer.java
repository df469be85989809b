package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Renews the claims of pending evaluations, three times per lease, until it is closed. No error ends the renewal: a claim that
 * expires unnoticed lets another run buy the same reward.
 */
final class LeaseRenewer implements AutoCloseable {
    private final Ledger ledger;
    private final Consumer<String> warnings;
    private final Duration interval;
    private final Set<LedgerKey> keys = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("pgkq-leases").daemon().factory());
    private long renewed = System.nanoTime();

    /**
     * @param pending keys of claims to renew
     * @param warnings receives renewal errors, each time one occurs
     */
    LeaseRenewer(Ledger ledger, Collection<LedgerKey> pending, Consumer<String> warnings) {
        this.ledger = ledger;
        this.warnings = warnings;
        this.interval = Duration.ofMillis(Math.max(1, ledger.lease().toMillis() / 3));
        keys.addAll(pending);
        clock.scheduleAtFixedRate(this::renew, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Renews this claim, too, from now on. */
    void add(LedgerKey key) {
        keys.add(key);
    }

    /** Stops renewing this claim. */
    void remove(LedgerKey key) {
        keys.remove(key);
    }

    private void renew() {
        try {
            List<LedgerKey> pending = List.copyOf(keys);
            if (!pending.isEmpty()) {
                ledger.renew(pending);
            }
            renewed = System.nanoTime();
        } catch (UserException e) {
            // A database may be out of reach for a while; that matters only if no other renewal comes in time.
            if (isLastBeforeExpiry()) {
                warn(String.valueOf(e.getMessage()));
            }
        } catch (RuntimeException | Error e) {
            // A scheduled task that throws is never run again.
            warn("cannot renew claims in the ledger: internal error: " + e);
        }
    }

    private boolean isLastBeforeExpiry() {
        long left = ledger.lease().toNanos() - (System.nanoTime() - renewed);
        return left < 3 * interval.toNanos() / 2;
    }

    private void warn(String error) {
        if (clock.isShutdown()) {
            return;
        }
        try {
            warnings.accept(
                    error + ". Until this is fixed, claims may expire, and another run may buy the same rewards again");
        } catch (RuntimeException e) {
            // A report that fails must not end the renewal either.
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
