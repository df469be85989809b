package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeasesTest {
    /** A ledger that is out of reach at first, and counts. */
    private static Ledger unreliable(CountDownLatch renewals) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "lease" -> Duration.ofMillis(90);
                    case "renew" -> {
                        renewals.countDown();
                        if (renewals.getCount() > 1) {
                            throw new UserException("the ledger is out of reach");
                        }
                        yield List.of();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    @Test
    void aRenewalThatFailsIsNotTheLast() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(4);
        try (Leases leases = new Leases(unreliable(renewals), List.of(new LedgerKey("0".repeat(64))))) {
            leases.begin(new LedgerKey("1".repeat(64)));
            assertThat(renewals.await(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void whatIsNotOutIsNotRenewed() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(1);
        LedgerKey key = new LedgerKey("0".repeat(64));
        try (Leases leases = new Leases(unreliable(renewals), List.of(key))) {
            leases.end(key);
            assertThat(renewals.await(300, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
