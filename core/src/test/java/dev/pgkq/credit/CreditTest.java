package dev.pgkq.credit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.credit.Credit.Target;
import dev.pgkq.episode.Steps;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Rewards;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CreditTest {
    private static final double DISCOUNT = 0.9;
    private static final int LENGTH = 6;
    private static final int[] STARTS = {0, LENGTH};

    private static float[] paper(Target target, AdvantageForm form) {
        float[] ones = new float[LENGTH];
        Arrays.fill(ones, 1);
        return new Credit(form, DISCOUNT, true).of(target, STARTS, ones, 1);
    }

    @Test
    void ofOnesItIsThePapersCoefficients() {
        int last = LENGTH - 1;
        for (int t = 0; t < LENGTH; t++) {
            float power = (float) Math.pow(DISCOUNT, t);
            assertThat(paper(Target.RETURNS, AdvantageForm.E1)[t]).isCloseTo(power, offset(1e-6f));
            assertThat(paper(Target.RETURNS, AdvantageForm.E2)[t])
                    .isCloseTo(t < last ? power : -last * power, offset(1e-6f));
            assertThat(paper(Target.REWARDS, AdvantageForm.E1)[t]).isCloseTo((1 + t) * power, offset(1e-6f));
            assertThat(paper(Target.REWARDS, AdvantageForm.E2)[t])
                    .isCloseTo(t < last ? (1 + t) * power : 0, offset(1e-6f));
        }
    }

    /** By definition: the sum that advantages of given rewards make, episode by episode, against the sum over credits. */
    @ParameterizedTest
    @EnumSource
    void theSumOverRewardsIsTheSumOverAdvantages(AdvantageForm form) {
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        int[] starts = {0, 4, 4, 5, 12};
        int dimensions = 2;
        Steps steps = new Steps(starts, new float[0], new float[0], new float[0]);
        double[] rewards = new double[12];
        float[] x = new float[12 * dimensions];
        for (int i = 0; i < 12; i++) {
            rewards[i] = random.nextGaussian();
            x[2 * i] = (float) random.nextGaussian();
            x[2 * i + 1] = (float) random.nextGaussian();
        }
        double[] returns = Rewards.discountedReturns(steps, rewards, DISCOUNT);
        for (boolean stepDiscount : new boolean[] {true, false}) {
            Credit credit = new Credit(form, DISCOUNT, stepDiscount);
            float[] ofReturns = credit.of(Target.RETURNS, starts, x, dimensions);
            float[] ofRewards = credit.of(Target.REWARDS, starts, x, dimensions);
            for (int e = 0; e < 4; e++) {
                double[] advantages = form.advantages(
                        Arrays.copyOfRange(returns, starts[e], starts[e + 1]),
                        new double[starts[e + 1] - starts[e]],
                        DISCOUNT);
                for (int d = 0; d < dimensions; d++) {
                    double expected = 0;
                    double overReturns = 0;
                    double overRewards = 0;
                    for (int t = 0; t < advantages.length; t++) {
                        int i = (starts[e] + t) * dimensions + d;
                        expected += (stepDiscount ? Math.pow(DISCOUNT, t) : 1) * x[i] * advantages[t];
                        overReturns += ofReturns[i] * returns[starts[e] + t];
                        overRewards += ofRewards[i] * rewards[starts[e] + t];
                    }
                    assertThat(overReturns).isCloseTo(expected, offset(1e-5));
                    assertThat(overRewards).isCloseTo(expected, offset(1e-5));
                }
            }
        }
    }
}
