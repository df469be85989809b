package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.text.UserException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LeaseRenewerTest {
    private static final LedgerKey KEY = new LedgerKey("0".repeat(64));
    private static final Duration SHORT = Duration.ofMillis(300);

    private final List<String> warnings = Collections.synchronizedList(new ArrayList<>());
    private final List<String> losses = Collections.synchronizedList(new ArrayList<>());

    /** Calls {@code renewal} each time claims are renewed, with the number of renewals still expected. */
    private static Ledger ledger(Duration lease, CountDownLatch renewals, LongConsumer renewal) {
        return losing(lease, renewals, keys -> {
            renewal.accept(renewals.getCount());
            return List.of();
        });
    }

    /** Passes the keys to {@code renewal} each time claims are renewed; it returns those that are lost. */
    @SuppressWarnings("unchecked") // the argument of renew
    private static Ledger losing(
            Duration lease, CountDownLatch renewals, UnaryOperator<Collection<LedgerKey>> renewal) {
        return (Ledger) Proxy.newProxyInstance(
                Ledger.class.getClassLoader(),
                new Class<?>[] {Ledger.class},
                (proxy, method, args) -> switch (method.getName()) {
                    case "lease" -> lease;
                    case "location" -> "the-ledger";
                    case "renew" -> {
                        renewals.countDown();
                        yield List.copyOf(renewal.apply((Collection<LedgerKey>) args[0]));
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
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, warnings::add, losses::add)) {
            leases.add(KEY);
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
        try (LeaseRenewer leases = new LeaseRenewer(faulty, warnings::add, losses::add)) {
            leases.add(KEY);
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
            throw new AssertionError("cannot report");
        };
        try (LeaseRenewer leases = new LeaseRenewer(faulty, broken, broken)) {
            leases.add(KEY);
            assertRenewed(renewals);
        }
    }

    @Test
    void aLedgerOutOfReachIsReportedWhenTheLeaseIsAboutToRunOut() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(4);
        Ledger unreachable = ledger(SHORT, renewals, left -> {
            throw new UserException("the ledger is out of reach");
        });
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, warnings::add, losses::add)) {
            leases.add(KEY);
            assertRenewed(renewals);
        }
        assertThat(warnings)
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning).contains("out of reach", "expire"));
    }

    /** The answers that are out may be hours away. */
    @Test
    void aLedgerThatWasDeletedIsReportedAtTheNextRenewal() throws InterruptedException {
        CountDownLatch reported = new CountDownLatch(1);
        Ledger deleted = ledger(SHORT, new CountDownLatch(1), left -> {
            throw new DatabaseChanged("the ledger was deleted");
        });
        Consumer<String> report = warning -> {
            warnings.add(warning);
            reported.countDown();
        };
        try (LeaseRenewer leases = new LeaseRenewer(deleted, report, losses::add)) {
            leases.add(KEY);
            assertRenewed(reported);
        }
        assertThat(warnings)
                .containsExactly(
                        "the ledger was deleted. The run stops when the evaluations that are out have been answered");
    }

    /** The lease is long enough that it does not expire on a busy machine. */
    @Test
    @Tag("slow")
    void aLedgerOutOfReachForAMomentIsNotReported() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(2);
        Ledger unreachable = ledger(Duration.ofSeconds(6), renewals, left -> {
            if (left == 1) {
                throw new UserException("the ledger is out of reach");
            }
        });
        try (LeaseRenewer leases = new LeaseRenewer(unreachable, warnings::add, losses::add)) {
            leases.add(KEY);
            assertRenewed(renewals);
        }
        assertThat(warnings).isEmpty();
    }

    /** The third renewal begins when the lease has expired. */
    private void assertReportedBeforeTheThirdRenewal(Duration lease, LongConsumer renewal, String... words)
            throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(100);
        CountDownLatch reported = new CountDownLatch(1);
        List<Long> renewalsBefore = Collections.synchronizedList(new ArrayList<>());
        Consumer<String> errors = warning -> {
            renewalsBefore.add(100 - renewals.getCount());
            warnings.add(warning);
            reported.countDown();
        };
        Ledger waiting = ledger(lease, renewals, renewal);
        try (LeaseRenewer leases = new LeaseRenewer(waiting, errors, losses::add)) {
            leases.add(KEY);
            assertThat(reported.await(20, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(renewalsBefore.getFirst()).isEqualTo(2);
        assertThat(warnings.getFirst()).contains(words);
    }

    /** The ledger has a 36th of the lease to name the cause, which is 80 ms here. */
    @Test
    void aLedgerThatWaitsForItsServerIsReportedBeforeTheLeaseEnds() throws InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        assertReportedBeforeTheThirdRenewal(
                Duration.ofSeconds(3),
                left -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        throw new UserException("the server is gone");
                    }
                },
                "the server is gone",
                "expire");
    }

    @Test
    void aLedgerThatDoesNotRespondEvenToInterruptsIsReportedBeforeTheLeaseEnds() throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        try {
            assertReportedBeforeTheThirdRenewal(
                    SHORT, left -> awaitUninterruptibly(end), "the ledger the-ledger: it does not respond", "expire");
        } finally {
            end.countDown();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        while (true) {
            try {
                latch.await();
                return;
            } catch (InterruptedException e) {
                // a driver that waits for a socket
            }
        }
    }

    @Test
    void closingEndsARenewalThatIsUnderWay() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(1);
        CountDownLatch never = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Ledger waiting = ledger(Duration.ofSeconds(3), renewals, left -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });
        try (LeaseRenewer leases = new LeaseRenewer(waiting, warnings::add, losses::add)) {
            leases.add(KEY);
            assertRenewed(renewals);
            leases.remove(KEY);
        }
        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(warnings).isEmpty();
    }

    @Test
    void whatIsNotPendingIsNotRenewed() throws InterruptedException {
        CountDownLatch renewals = new CountDownLatch(1);
        try (LeaseRenewer leases = new LeaseRenewer(ledger(SHORT, renewals, left -> {}), warnings::add, losses::add)) {
            leases.add(KEY);
            leases.remove(KEY);
            assertThat(renewals.await(300, TimeUnit.MILLISECONDS)).isFalse();
        }
    }

    @Test
    void claimsThatAnotherRunHasTakenAreReportedOnceAndNotRenewedAnyMore() throws InterruptedException {
        LedgerKey second = new LedgerKey("1".repeat(64));
        LedgerKey kept = new LedgerKey("2".repeat(64));
        // a renewal is counted when it starts: when the seventh has, six are complete
        CountDownLatch renewals = new CountDownLatch(7);
        List<Set<LedgerKey>> renewed = Collections.synchronizedList(new ArrayList<>());
        Ledger ledger = losing(SHORT, renewals, keys -> {
            renewed.add(Set.copyOf(keys));
            return keys.stream().filter(key -> !key.equals(kept)).toList();
        });
        List<LedgerKey> all = List.of(KEY, second, kept);
        try (LeaseRenewer leases = new LeaseRenewer(ledger, warnings::add, losses::add)) {
            all.forEach(leases::add);
            assertRenewed(renewals);
        }
        assertThat(losses)
                .containsExactly("another run has taken over 2 evaluations; their rewards may be paid for twice");
        List<Set<LedgerKey>> complete;
        // the last renewal may still be under way
        synchronized (renewed) {
            complete = List.copyOf(renewed);
        }
        assertThat(complete.subList(0, 2)).containsOnly(Set.copyOf(all));
        assertThat(complete.subList(2, 6)).containsOnly(Set.of(kept));
        assertThat(warnings).isEmpty();
    }

    /** The ledger does not extend a claim between its answer and its removal. */
    @Test
    void anAnsweredClaimIsNotReportedAsLost() throws InterruptedException {
        LedgerKey kept = new LedgerKey("2".repeat(64));
        CountDownLatch renewals = new CountDownLatch(4);
        CountDownLatch answered = new CountDownLatch(1);
        Ledger ledger = losing(Duration.ofMillis(600), renewals, keys -> {
            answered.countDown();
            return keys.stream().filter(KEY::equals).toList();
        });
        try (LeaseRenewer leases = new LeaseRenewer(ledger, warnings::add, losses::add)) {
            leases.add(KEY);
            leases.add(kept);
            assertThat(answered.await(20, TimeUnit.SECONDS)).isTrue();
            leases.remove(KEY);
            assertRenewed(renewals);
        }
        assertThat(losses).isEmpty();
    }

    @Test
    void aLossThatCannotBeReportedDoesNotEndTheRenewal() throws InterruptedException {
        LedgerKey kept = new LedgerKey("2".repeat(64));
        CountDownLatch renewals = new CountDownLatch(5);
        Ledger ledger = losing(
                SHORT, renewals, keys -> keys.stream().filter(KEY::equals).toList());
        Consumer<String> broken = warning -> {
            throw new StackOverflowError();
        };
        try (LeaseRenewer leases = new LeaseRenewer(ledger, warnings::add, broken)) {
            leases.add(KEY);
            leases.add(kept);
            assertRenewed(renewals);
        }
    }
}
