package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Renews the claims of what is out, for as long as it is. */
final class Leases implements AutoCloseable {
    private final Ledger ledger;
    private final Set<LedgerKey> keys = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("pgkq-leases").daemon().factory());

    Leases(Ledger ledger, Collection<LedgerKey> out) {
        this.ledger = ledger;
        keys.addAll(out);
        long third = Math.max(1, ledger.lease().toMillis() / 3);
        clock.scheduleAtFixedRate(this::renew, third, third, TimeUnit.MILLISECONDS);
    }

    void begin(LedgerKey key) {
        keys.add(key);
    }

    void end(LedgerKey key) {
        keys.remove(key);
    }

    private void renew() {
        List<LedgerKey> out = List.copyOf(keys);
        if (!out.isEmpty()) {
            try {
                ledger.renew(out);
            } catch (UserException e) {
                // A database that is gone for a while: two more tries are left before the claims run out.
            }
        }
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
