package dev.pgkq.rewards.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.desk.Budget;
import java.util.List;
import org.junit.jupiter.api.Test;

class SpendingTest {
    private static final long ANY = Long.MAX_VALUE;

    @Test
    void withoutAPriceOneIsHandedOutAtATime() {
        Spending spending = new Spending(new Budget(ANY, 10, 0));
        assertThat(spending.left()).isEqualTo(1);
        spending.called(1);
        assertThat(spending.left()).isZero();
        assertThat(spending.words()).contains("0 of 10", "1 is not known yet", "something that is not known yet");
        spending.answered(List.of(2.0));
        assertThat(spending.left()).isEqualTo(4);
    }

    @Test
    void aFreeScoreDoesNotReplaceTheExpectedCost() {
        Spending spending = new Spending(new Budget(ANY, 10, 0.5));
        spending.called(1);
        spending.answered(List.of(0.0));
        assertThat(spending.left()).isEqualTo(20);
    }

    @Test
    void scoresThatAreFreeAreNotLimited() {
        Spending spending = new Spending(new Budget(ANY, 10, 0));
        spending.called(1);
        spending.answered(List.of(0.0));
        assertThat(spending.left()).isEqualTo(ANY);
    }

    /** A round that misses three is not handed out again for the one call that is left. */
    @Test
    void tooLittleThatIsLeftIsSaidInCallsWhereCostsAreNotLimited() {
        Spending spending = new Spending(Budget.ofEvaluations(10));
        spending.called(9);
        assertThat(spending.left()).isEqualTo(1);
        assertThat(spending.words()).isEqualTo("9 of 10 evaluations were handed out");
    }
}
