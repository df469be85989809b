package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.ledger.Paid;
import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CostLimitTest {
    private static CostLimit limit(String most, String price) {
        return new CostLimit(Optional.of(new BigDecimal(most)), new BigDecimal(price));
    }

    private static Paid paid(int evaluations, String cost) {
        return new Paid(evaluations, new BigDecimal(cost));
    }

    @Test
    void withoutALimitThereIsNone() {
        assertThat(new CostLimit(Optional.empty(), BigDecimal.ONE).evaluations(paid(3, "100"), 3))
                .isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatIsLeftCountsAtTheMeanPrice() {
        assertThat(limit("10", "5").evaluations(paid(4, "2"), 4)).isEqualTo(4 + 16);
        assertThat(limit("1", "0").evaluations(paid(3, "0.3"), 3))
                .as("no rounding")
                .isEqualTo(3 + 7);
        assertThat(limit("1", "0").evaluations(paid(3, "0.7"), 3)).isEqualTo(3 + 1);
        assertThat(limit("1", "0").evaluations(paid(3, "0.8"), 3)).isEqualTo(3);
        assertThat(limit("1", "0").evaluations(paid(3, "1.8"), 3)).isEqualTo(3);
    }

    /** Two of five answers were in the ledger already. */
    @Test
    void knownAnswersHaveCostNothing() {
        assertThat(limit("10", "0").evaluations(paid(3, "3"), 5)).isEqualTo(5 + 7);
    }

    @Test
    void beforeTheFirstAnswerThePriceIsTheGivenOneOrOneEvaluationTellsIt() {
        assertThat(limit("10", "2.5").evaluations(Paid.NOTHING, 0)).isEqualTo(4);
        assertThat(limit("10", "0").evaluations(Paid.NOTHING, 0)).isEqualTo(1);
    }

    @Test
    void whatIsFreeIsNotLimited() {
        assertThat(limit("10", "2").evaluations(paid(3, "0"), 3)).isEqualTo(Long.MAX_VALUE);
        assertThat(limit("1e12", "0").evaluations(paid(3, "1e-9"), 3)).isEqualTo(Long.MAX_VALUE);
    }
}
