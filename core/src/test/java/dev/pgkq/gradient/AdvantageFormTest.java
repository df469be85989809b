package dev.pgkq.gradient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.reward.Rewards;
import org.junit.jupiter.api.Test;

class AdvantageFormTest {
    private static final double DISCOUNT = 0.9;
    private static final double[] REWARDS = {1, -2, 0.5, 3, 0.25};
    private static final float[] VALUES = {0.3f, 0.1f, -0.7f, 2f, 1.5f};

    private final double[] returns = new Rewards(REWARDS).discountedReturns(DISCOUNT);

    @Test
    void returnsAreTheDiscountedSums() {
        for (int t = 0; t < REWARDS.length; t++) {
            double expected = 0;
            for (int u = t; u < REWARDS.length; u++) {
                expected += Math.pow(DISCOUNT, u - t) * REWARDS[u];
            }
            assertThat(returns[t]).isCloseTo(expected, offset(1e-12));
        }
    }

    @Test
    void e1IsReturnMinusBaseline() {
        double[] advantages = AdvantageForm.E1.advantages(returns, VALUES, DISCOUNT);
        for (int t = 0; t < REWARDS.length; t++) {
            assertThat(advantages[t]).isCloseTo(returns[t] - VALUES[t], offset(1e-12));
        }
    }

    @Test
    void e2IsTheReturnBootstrappedFromTheLastState() {
        double[] advantages = AdvantageForm.E2.advantages(returns, VALUES, DISCOUNT);
        int last = REWARDS.length - 1;
        for (int t = 0; t <= last; t++) {
            // rewards before the last step, then V of the last state
            double expected = -VALUES[t] + Math.pow(DISCOUNT, last - t) * VALUES[last];
            for (int u = t; u < last; u++) {
                expected += Math.pow(DISCOUNT, u - t) * REWARDS[u];
            }
            assertThat(advantages[t]).isCloseTo(expected, offset(1e-12));
        }
        assertThat(advantages[last]).isZero();
    }

    @Test
    void anEmptyEpisodeHasNoAdvantages() {
        for (AdvantageForm form : AdvantageForm.values()) {
            assertThat(form.advantages(new double[0], new float[0], DISCOUNT)).isEmpty();
        }
    }
}
