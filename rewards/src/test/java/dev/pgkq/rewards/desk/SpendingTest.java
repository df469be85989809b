package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.TestEvaluations;
import dev.pgkq.rewards.request.Reply;
import java.math.BigDecimal;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpendingTest {
    @TempDir
    Path folder;

    @Test
    void pricesAreAddedExactly() {
        try (Ledger ledger = Ledger.open(folder.resolve("ledger.db").toString())) {
            Spending spending = new Spending(new Budget(Long.MAX_VALUE, 1, 0.1), ledger, "run");
            for (int i = 0; i < 9; i++) {
                spending.add(0.1);
                spending.check(1);
            }
            spending.add(0.1);
            assertThat(spending.recorded().cost()).isEqualByComparingTo("1");
            assertThatThrownBy(() -> spending.check(1))
                    .isInstanceOf(BudgetReached.class)
                    .hasMessageContaining("1 of 1, and the next iteration needs about 0.1");
        }
    }

    /** Earlier versions recorded any finite cost. */
    @Test
    void enormousPricesDoNotOverflow() {
        try (Ledger ledger = Ledger.open(folder.resolve("ledger.db").toString())) {
            for (int number = 0; number < 3; number++) {
                ledger.claim(TestEvaluations.id(number));
                ledger.done(TestEvaluations.key(number), Reply.ofEpisode(1, 1e308));
            }
            Spending spending = new Spending(new Budget(Long.MAX_VALUE, 1e308, 0), ledger, "run");
            assertThat(spending.recorded().cost()).isEqualByComparingTo("3e308");
            assertThatThrownBy(() -> spending.check(1))
                    .isInstanceOfSatisfying(
                            BudgetReached.class,
                            reached -> assertThat(reached.sufficient()).isEqualByComparingTo("4e308"));
        }
    }

    @Test
    void whatIsLostStillCounts() {
        try (Ledger ledger = Ledger.open(folder.resolve("ledger.db").toString())) {
            Spending spending = new Spending(new Budget(10, 1, 0.1), ledger, "run");
            spending.setLost(new Paid(9, new BigDecimal("0.9")));
            spending.check(1);
            assertThatThrownBy(() -> spending.check(2)).isInstanceOf(BudgetReached.class);
        }
    }

    @Test
    void aResumedBudgetOfMoneyIsLargeEnough() {
        Budget limits = new Budget(Long.MAX_VALUE, 1, 0.123456789);
        try (Ledger ledger = Ledger.open(folder.resolve("ledger.db").toString())) {
            assertThatThrownBy(() -> new Spending(limits, ledger, "run").check(300))
                    .isInstanceOfSatisfying(BudgetReached.class, reached -> {
                        assertThat(reached.limit()).isEqualTo(BudgetReached.Limit.COST);
                        double larger = reached.sufficient().doubleValue();
                        new Spending(new Budget(Long.MAX_VALUE, larger, 0.123456789), ledger, "run").check(300);
                    });
        }
    }
}
