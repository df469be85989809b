package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.ledger.Ledger;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpendingTest {
    @TempDir
    Path folder;

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
