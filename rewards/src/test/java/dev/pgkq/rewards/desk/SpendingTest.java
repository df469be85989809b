package dev.pgkq.rewards.desk;

import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.ledger.FailedCall;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.TestEvaluations;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Reply;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpendingTest {
    @TempDir
    Path folder;

    private static List<LedgerKey> keys(int count) {
        return IntStream.range(0, count).mapToObj(TestEvaluations::key).toList();
    }

    private static Spent spent(int answers, String cost, int unanswered, String unansweredCost) {
        return new Spent(new Paid(answers, new BigDecimal(cost)), new Paid(unanswered, new BigDecimal(unansweredCost)));
    }

    @Test
    void pricesAreAddedExactly() {
        try (Ledger ledger = open()) {
            Spending spending = new Spending(new Budget(Long.MAX_VALUE, 1, 0.1), ledger, "run", "judge 1");
            for (int i = 0; i < 10; i++) {
                assertThat(spending.reserve(List.of(key(i)))).isEqualTo(1);
                spending.answered(key(i), 0.1);
            }
            assertThat(spending.spent()).isEqualTo(spent(10, "1", 0, "0"));
            assertThat(spending.reserve(List.of(key(10)))).isZero();
            assertThat(spending.reached(1)).hasMessageContaining("1 of 1, and the next iteration needs about 0.1");
        }
    }

    /** Earlier versions recorded any finite cost. */
    @Test
    void enormousPricesDoNotOverflow() {
        try (Ledger ledger = open()) {
            for (int number = 0; number < 3; number++) {
                ledger.claim(TestEvaluations.id(number));
                ledger.done(key(number), Reply.ofEpisode(1, 1e308));
            }
            Spending spending = new Spending(new Budget(Long.MAX_VALUE, 1e308, 0), ledger, "run", "judge 1");
            assertThat(spending.spent().total().cost()).isEqualByComparingTo("3e308");
            assertThat(spending.reserve(keys(1))).isZero();
            assertThat(spending.reached(1).sufficient()).isEqualByComparingTo("4e308");
        }
    }

    @Test
    void whatIsLostStillCounts() {
        try (Ledger ledger = open()) {
            Spending spending = new Spending(new Budget(10, 1, 0.1), ledger, "run", "judge 1");
            spending.setLost(new Spent(new Paid(9, new BigDecimal("0.9")), Paid.NOTHING));
            assertThat(spending.reserve(keys(2))).isEqualTo(1);
        }
    }

    @Test
    void aResumedBudgetOfMoneyIsLargeEnough() {
        Budget limits = new Budget(Long.MAX_VALUE, 1, 0.123456789);
        try (Ledger ledger = open()) {
            Spending spending = new Spending(limits, ledger, "run", "judge 1");
            assertThat(spending.reserve(keys(300))).isEqualTo(8);
            BudgetReached reached = spending.reached(300);
            assertThat(reached.limit()).isEqualTo(BudgetReached.Limit.COST);
            double larger = reached.sufficient().doubleValue();
            assertThat(new Spending(new Budget(Long.MAX_VALUE, larger, 0.123456789), ledger, "run", "judge 1")
                            .reserve(keys(300)))
                    .isEqualTo(300);
        }
    }

    private Ledger open() {
        return Ledger.open(folder.resolve("ledger.db").toString());
    }

    @Test
    void reservedCallsLeaveRoomForNoOthers() {
        try (Ledger ledger = open()) {
            Spending spending = new Spending(Budget.ofEvaluations(3), ledger, "run", "judge 1");
            assertThat(spending.reserve(keys(2))).isEqualTo(2);
            assertThat(spending.failed(key(0), OptionalDouble.of(0), true)).isTrue();
            assertThat(spending.failed(key(0), OptionalDouble.of(0), true))
                    .as("the last call is reserved for the other one")
                    .isFalse();
            spending.answered(key(1), 0);
            assertThat(spending.spent()).isEqualTo(spent(1, "0", 2, "0"));
            assertThat(spending.reserve(keys(1))).isZero();
        }
    }

    @Test
    void aFreeFailureMakesRoomForItsRepetition() {
        try (Ledger ledger = open()) {
            Spending spending = new Spending(Budget.ofEvaluations(1), ledger, "run", "judge 1");
            spending.reserve(keys(1));
            assertThat(spending.failed(key(0), OptionalDouble.empty(), true)).isTrue();
            assertThat(spending.spent()).isEqualTo(Spent.NOTHING);
        }
    }

    @Test
    void aFailureCostsWhatIsStatedOrSetOrAsMuchAsAnAnswer() {
        EvaluationException busy = EvaluationException.temporary("busy");
        try (Ledger ledger = open()) {
            Spending spending = new Spending(new Budget(9, 100, 2), ledger, "run", "judge 1");
            assertThat(spending.costOf(busy)).hasValue(2);
            spending.answered(key(0), 0.5);
            assertThat(spending.costOf(busy)).hasValue(0.5);
            assertThat(spending.costOf(busy.withCost(OptionalDouble.of(0.25)))).hasValue(0.25);
            assertThat(spending.costOf(busy.withCost(OptionalDouble.of(0)))).isEmpty();
            assertThat(spending.costOf(busy.with(EvaluationException.Call.NOT_MADE)))
                    .isEmpty();
            Spending cheap = new Spending(new Budget(9, 100, 2, OptionalDouble.of(0.1)), ledger, "run", "judge 1");
            assertThat(cheap.costOf(busy)).hasValue(0.1);
            Spending free = new Spending(new Budget(9, 100, 2, OptionalDouble.of(0)), ledger, "run", "judge 1");
            assertThat(free.costOf(busy)).isEmpty();
        }
    }

    /** The process that made the call may have been killed. */
    @Test
    void whatIsInTheLedgerIsSpent() {
        try (Ledger ledger = open()) {
            for (int i = 0; i < 4; i++) {
                ledger.claim(TestEvaluations.id(i));
                ledger.attempted(key(i), OptionalDouble.of(0.5));
            }
            ledger.done(key(0), TestEvaluations.answer(0).withCost(3));
            ledger.attemptFailed(key(1), new FailedCall("busy", OptionalDouble.empty(), false));
            ledger.attemptFailed(key(2), new FailedCall("busy", OptionalDouble.of(1), false));
        }
        try (Ledger ledger = open()) {
            Spending spending = new Spending(Budget.ofEvaluations(4), ledger, "run", "judge 1");
            assertThat(spending.spent()).isEqualTo(spent(1, "3", 2, "1.5"));
            assertThat(spending.hasAnswer()).isTrue();
            assertThat(spending.reserve(keys(4))).isOne();
            assertThat(new Spending(Budget.UNLIMITED, ledger, "run", "another judge").hasAnswer())
                    .isFalse();
            assertThat(new Spending(Budget.UNLIMITED, ledger, "other", "judge 1").spent())
                    .isEqualTo(Spent.NOTHING);
        }
    }
}
