package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

class LeaseRenewerTest {
    private static final LedgerKey KEY = new LedgerKey("0".repeat(64));
    private static final Duration SHORT = Duration.ofMillis(90);

    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());

    /** Calls {@code renewal} each time claims are renewed, with the number of renewals still expected. */
    private static Ledger ledger(Duration lease, CountDownLatch renewals, LongConsumer renewal) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "lease" -> lease;
                    case "renew" -> {
                        renewals.countDown();
                        renewal.accept(renewals.getCount());
                        yield List.of();
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static void assertRenewed(CountDownLatch renewals) throws InterruptedException {
        assertThat(renewals.await(20, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aRenewalThatFailsIsNotTheLast() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(4);
        Ledger unreachable = ledger(SHORT, renewals, left -> {
            if (left > 1) {
                throw new UserException("the ledger is out of reach");
            }
        });
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, List.of(KEY), warnings::add)) {
            leases.add(new LedgerKey("1".repeat(64)));
            assertRenewed(renewals);
        }
    }

    @Test
    void claimsAreRenewedAgainAfterAnUnexpectedErrorWhichIsReported() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(3);
        Ledger faulty = ledger(SHORT, renewals, left -> {
            if (left == 2) {
                throw new IllegalStateException("a fault");
            }
        });
        try (LeaseRenewer leases = new LeaseRenewer(faulty, List.of(KEY), warnings::add)) {
            assertRenewed(renewals);
        }
        assertThat(warnings).hasSize(1);
        assertThat(warnings.getFirst()).contains("IllegalStateException: a fault");
    }

    @Test
    void anErrorAndAFailingReportDoNotEndTheRenewal() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(3);
        Ledger faulty = ledger(SHORT, renewals, left -> {
            throw new StackOverflowError();
        });
        Consumer<String> broken = warning -> {
            throw new IllegalStateException("cannot report");
        };
        try (LeaseRenewer leases = new LeaseRenewer(faulty, List.of(KEY), broken)) {
            assertRenewed(renewals);
        }
    }

    @Test
    void aLedgerOutOfReachIsReportedWhenTheLeaseIsAboutToRunOut() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(4);
        Ledger unreachable = ledger(SHORT, renewals, left -> {
            throw new UserException("the ledger is out of reach");
        });
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, List.of(KEY), warnings::add)) {
            assertRenewed(renewals);
        }
        assertThat(warnings)
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning).contains("out of reach", "expire"));
    }

    /** The lease is long enough that it does not expire on a busy machine. */
    @Test
    void aLedgerOutOfReachForAMomentIsNotReported() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(2);
        Ledger unreachable = ledger(Duration.ofSeconds(6), renewals, left -> {
            if (left == 1) {
                throw new UserException("the ledger is out of reach");
            }
        });
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, List.of(KEY), warnings::add)) {
            assertRenewed(renewals);
        }
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatIsNotPendingIsNotRenewed() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(1);
        try (LeaseRenewer leases = new LeaseRenewer(ledger(SHORT, renewals, left -> {}), List.of(KEY), warnings::add)) {
            leases.remove(KEY);
            assertThat(renewals.await(300, TimeUnit.MILLISECONDS)).isFalse();
        }
    }
}
