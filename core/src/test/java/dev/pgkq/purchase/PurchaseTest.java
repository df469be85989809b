package dev.pgkq.purchase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import dev.pgkq.batch.Batches;
import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.kernel.StepFactors;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.quadrature.SimplexWeights;
import dev.pgkq.quadrature.WeightedPoints;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import dev.pgkq.select.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PurchaseTest {
    private static final int SIZE = 12;

    private final List<Integer> asked = new ArrayList<>();

    private static List<Episode> batch() {
        List<Episode> episodes = new ArrayList<>();
        for (int e = 0; e < SIZE; e++) {
            episodes.add(
                    new Episode(1, e, 1, new float[1], new float[1], new float[1], new double[2], Ending.TERMINATED));
        }
        return episodes;
    }

    private static GramMatrix gram() {
        RandomStream random = RandomStream.of(3, Purpose.CHECK);
        double[] x = new double[SIZE];
        Arrays.setAll(x, i -> random.nextGaussian());
        double[] values = new double[SIZE * SIZE];
        for (int i = 0; i < SIZE; i++) {
            for (int j = 0; j < SIZE; j++) {
                values[i * SIZE + j] = Math.exp(-(x[i] - x[j]) * (x[i] - x[j]));
            }
        }
        return GramMatrix.of(values);
    }

    private static Selection byKernel(int... indices) {
        GramMatrix gram = gram();
        StepCredits credits =
                new StepCredits(StepFactors.ones(), Credit.Target.RETURNS, new Credit(AdvantageForm.E1, 1, false));
        return new Selection(
                SimplexWeights.of(gram, indices), Optional.of(new KernelView(gram, new double[SIZE], credits)));
    }

    /** Answers with the episode's number + 1, but not for these. */
    private RewardSource without(Integer... failing) {
        return episodes -> episodes.stream()
                .map(episode -> {
                    asked.add(episode.index());
                    return Set.of(failing).contains(episode.index())
                            ? (Answer) new Answer.Failed("no answer for " + episode.index())
                            : new Answer.Paid(new Rewards(new double[] {episode.index() + 1}));
                })
                .toList();
    }

    private PaidBatch buy(RewardSource source, OnFailure onFailure, Selection selection) {
        return Purchase.buy(source, onFailure, 1, Batches.of(batch()), selection, 1);
    }

    /** Every reward is its own episode's: nothing is 0, nothing is another's. */
    private static void assertHonest(PaidBatch paid) {
        double[] rewards = paid.paidRewards();
        for (int i = 0; i < rewards.length; i++) {
            assertThat(rewards[i]).isEqualTo(paid.points().indices()[i] + 1);
        }
    }

    @ParameterizedTest
    @EnumSource(OnFailure.class)
    void whereAllArriveNothingChanges(OnFailure onFailure) {
        Selection selection = byKernel(7, 2, 5);
        PaidBatch paid = buy(without(), onFailure, selection);
        assertThat(paid.selection()).isSameAs(selection);
        assertHonest(paid);
    }

    @Test
    void weightsOfTheOthersAreSolvedAgain() {
        PaidBatch paid = buy(without(2), OnFailure.REWEIGHT, byKernel(7, 2, 5, 9));
        assertThat(paid.points().indices()).containsExactly(7, 5, 9);
        assertThat(paid.points().weights())
                .isEqualTo(SimplexWeights.of(gram(), 7, 5, 9).weights());
        assertHonest(paid);
        assertThat(asked).containsExactly(7, 2, 5, 9);

        Selection equal = Selection.withoutKernel(WeightedPoints.equal(1, 3, 4, 8));
        PaidBatch plain = buy(without(3), OnFailure.REWEIGHT, equal);
        assertThat(plain.points().indices()).containsExactly(1, 4, 8);
        assertThat(plain.points().weights()).containsOnly(1.0 / 3);
        assertHonest(plain);
    }

    /** The spare is the best of all that are left, by trying them all. */
    @Test
    void theBestSpareIsPaidForInstead() {
        PaidBatch paid = buy(without(2, 0), OnFailure.REPLACE, byKernel(7, 2, 5, 0));
        assertThat(paid.points().size()).isEqualTo(4);
        assertHonest(paid);
        int first = paid.points().indices()[2];
        double least = Double.POSITIVE_INFINITY;
        for (int candidate : new int[] {1, 3, 4, 6, 8, 9, 10, 11}) {
            least = Math.min(least, gram().squaredError(SimplexWeights.of(gram(), 7, 5, candidate)));
        }
        assertThat(gram().squaredError(SimplexWeights.of(gram(), 7, 5, first))).isCloseTo(least, offset(1e-12));
    }

    @Test
    void sparesMayFailTooAndThereMayBeNone() {
        Selection random = Selection.withoutKernel(WeightedPoints.equal(1, 3, 4, 8));
        PaidBatch paid = buy(without(3, 0, 2, 5), OnFailure.REPLACE, random);
        assertThat(paid.points().size()).isEqualTo(4);
        assertHonest(paid);
        assertThat(asked).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(8);

        asked.clear();
        PaidBatch all = buy(without(3), OnFailure.REPLACE, Selection.withoutKernel(WeightedPoints.all(SIZE)));
        assertThat(all.points().size()).isEqualTo(SIZE - 1);
        assertThat(asked).hasSize(SIZE);
    }

    /** A source that is broken must not be asked for the whole batch. */
    @Test
    void noMoreSparesAreAskedForThanEpisodesWereSelected() {
        Selection random = Selection.withoutKernel(WeightedPoints.equal(1, 3, 4));
        PaidBatch paid = buy(without(0, 2, 3, 5, 6, 7, 8, 9, 10, 11), OnFailure.REPLACE, random);
        assertThat(paid.points().indices()).containsExactly(1, 4);
        assertThat(asked).doesNotHaveDuplicates().hasSize(3 + 3);
    }

    /** With one reward in an iteration, every missing one would stop the run. */
    @Test
    void aSingleRewardIsReplacedOnce() {
        Selection single = Selection.withoutKernel(WeightedPoints.equal(4));
        PaidBatch paid = buy(without(4), OnFailure.REWEIGHT, single);
        assertThat(paid.points().weights()).containsExactly(1);
        assertHonest(paid);
        assertThat(asked).startsWith(4).hasSize(2).doesNotHaveDuplicates();

        asked.clear();
        assertThatThrownBy(() -> buy(without(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), OnFailure.REWEIGHT, single))
                .isInstanceOf(MissingRewardsException.class)
                .hasMessageContaining("0 of 1 rewards");
        assertThat(asked).hasSize(2);
        assertThatThrownBy(() -> buy(without(4), OnFailure.STOP, single)).isInstanceOf(MissingRewardsException.class);
    }

    /** Pays for so many episodes and no more. */
    private RewardSource poor(int count, Integer... failing) {
        return episodes -> episodes.stream()
                .map(episode -> asked.size() < count
                        ? without(failing).request(List.of(episode)).getFirst()
                        : new Answer.NotBought(new IllegalStateException("no money")))
                .toList();
    }

    @ParameterizedTest
    @EnumSource(OnFailure.class)
    void whatIsLeftOfABudgetIsPaidFor(OnFailure onFailure) {
        PaidBatch paid = buy(poor(1), onFailure, byKernel(7, 2, 5, 9));
        assertThat(paid.points().indices()).containsExactly(7);
        assertHonest(paid);
        asked.clear();
        PaidBatch two = buy(poor(2), onFailure, byKernel(7, 2, 5, 9));
        assertThat(two.points().indices()).containsExactly(7, 2);
        assertThat(two.points().weights())
                .isEqualTo(SimplexWeights.of(gram(), 7, 2).weights());
        assertThat(asked).as("nothing is replaced").containsExactly(7, 2);
    }

    @Test
    void withoutMoneyTheReasonIsThrown() {
        assertThatThrownBy(() -> buy(poor(0), OnFailure.REWEIGHT, byKernel(7, 2)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no money");
    }

    @Test
    void aFailureThatCannotBeReplacedForWantOfMoneyIsLeftOut() {
        PaidBatch paid = buy(poor(4, 2), OnFailure.REPLACE, byKernel(7, 2, 5, 9));
        assertThat(paid.points().indices()).containsExactly(7, 5, 9);
        assertHonest(paid);
    }

    @Test
    void anEpisodeThatIsKnownTakesThePlaceOfTheOneOfLeastWeight() {
        Selection selection = byKernel(7, 2, 5, 9);
        assertThat(selection.including(5)).isSameAs(selection);
        double[] weights = selection.points().weights();
        int least = 0;
        for (int i = 1; i < weights.length; i++) {
            least = weights[i] <= weights[least] ? i : least;
        }
        int[] expected = {7, 2, 5, 9};
        expected[least] = 0;
        assertThat(selection.including(0).points().indices()).containsExactly(expected);
        assertThat(selection.including(0).points().weights())
                .isEqualTo(SimplexWeights.of(gram(), expected).weights());
    }

    @Test
    void aLimitKeepsTheFirstEpisodes() {
        Selection selection = byKernel(7, 2, 5, 9);
        assertThat(selection.limitedTo(4)).isSameAs(selection);
        assertThat(selection.limitedTo(2).points().indices()).containsExactly(7, 2);
        assertThat(selection.limitedTo(2).points().weights())
                .isEqualTo(SimplexWeights.of(gram(), 7, 2).weights());
    }

    @Test
    void fewerThanHalfIsTooFew() {
        assertThat(buy(without(7, 2), OnFailure.REWEIGHT, byKernel(7, 2, 5, 9))
                        .points()
                        .size())
                .isEqualTo(2);
        assertThatThrownBy(() -> buy(without(7, 2, 5), OnFailure.REWEIGHT, byKernel(7, 2, 5, 9)))
                .isInstanceOfSatisfying(MissingRewardsException.class, missing -> {
                    assertThat(missing.iteration()).isEqualTo(1);
                    assertThat(missing.received()).isEqualTo(1);
                    assertThat(missing.requested()).isEqualTo(4);
                    assertThat(missing.arrived().points().indices()).containsExactly(9);
                    assertHonest(missing.arrived());
                })
                .hasMessageContaining("1 of 4 rewards of iteration 1 arrived")
                .hasMessageContaining("no answer for 7");
        assertThatThrownBy(() -> buy(without(7, 2, 5, 9), OnFailure.REWEIGHT, byKernel(7, 2, 5, 9)))
                .isInstanceOfSatisfying(
                        MissingRewardsException.class,
                        missing -> assertThat(missing.arrived().points().size()).isZero());
        assertThatThrownBy(() -> buy(without(7), OnFailure.STOP, byKernel(7, 2, 5, 9)))
                .isInstanceOf(MissingRewardsException.class)
                .hasMessageContaining("3 of 4");
    }
}
