package dev.pgkq.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.episode.Steps;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Rewards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AdvantageFormTest {
    private static final double DISCOUNT = 0.9;
    private static final double[] REWARDS = {1, -2, 0.5, 3, 0.25};
    private static final double[] VALUES = {0.3f, 0.1f, -0.7f, 2f, 1.5f};

    private final double[] returns = Rewards.discountedReturns(
            new Steps(new int[] {0, REWARDS.length}, new float[0], new float[0], new float[0]), REWARDS, DISCOUNT);

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

    @ParameterizedTest
    @EnumSource
    void anEmptyEpisodeHasNoAdvantages(AdvantageForm form) {
        assertThat(form.advantages(new double[0], new double[0], DISCOUNT)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theTransposeMovesTheMapToTheOtherSideOfAnInnerProduct(AdvantageForm form) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        int dimensions = 3;
        for (int length : new int[] {1, 2, 7}) {
            double[] returns = new double[length];
            double[] x = new double[length * dimensions];
            for (int t = 0; t < length; t++) {
                returns[t] = random.nextGaussian();
            }
            for (int i = 0; i < x.length; i++) {
                x[i] = random.nextGaussian();
            }
            double[] advantages = form.advantages(returns, new double[length], DISCOUNT);
            double[] c = x.clone();
            form.transpose(c, length, dimensions, DISCOUNT);
            for (int d = 0; d < dimensions; d++) {
                double there = 0;
                double back = 0;
                for (int t = 0; t < length; t++) {
                    there += x[t * dimensions + d] * advantages[t];
                    back += c[t * dimensions + d] * returns[t];
                }
                assertThat(back).isCloseTo(there, offset(1e-12));
            }
        }
    }
}
