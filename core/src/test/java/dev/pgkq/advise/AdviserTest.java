package dev.pgkq.advise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Pace;
import dev.pgkq.state.Snapshot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class AdviserTest {
    private static final int WIDTH = 3;
    private static final int COUNT = 24;

    private final Workers workers = new Workers(2);

    @AfterEach
    void stop() {
        workers.close();
    }

    private Adviser adviser(Grain grain, Pace pace) {
        return new Adviser(new AdviserSettings(WIDTH, grain, pace, 1), workers);
    }

    private static Items items(int round, Grain grain) {
        RandomStream random = RandomStream.of(round, Purpose.CHECK);
        int[] starts = IntStream.rangeClosed(0, COUNT)
                .map(i -> grain == Grain.STEP ? i * (i + 3) / 2 : i)
                .toArray();
        float[] features = new float[starts[COUNT] * WIDTH];
        for (int i = 0; i < features.length; i++) {
            features[i] = (float) random.nextGaussian();
        }
        return new Items(starts, features, WIDTH, new float[0], 0);
    }

    /** A smooth function of the features of a step. */
    private static double reward(Items items, int step) {
        float[] z = items.features();
        return Math.tanh(z[step * WIDTH]) + 0.5 * z[step * WIDTH + 1] - 2;
    }

    private static Told score(Items items, int item, Grain grain, double factor, double noise) {
        double[] rewards = IntStream.range(items.starts()[item], items.starts()[item + 1])
                .mapToDouble(step -> factor * reward(items, step))
                .toArray();
        return new Told(
                item,
                grain == Grain.STEP
                        ? rewards
                        : new double[] {Arrays.stream(rewards).sum() + noise});
    }

    private static List<Told> scores(Choice choice, Grain grain, double factor) {
        return Arrays.stream(choice.indices())
                .mapToObj(item -> score(choice.items(), item, grain, factor, 0))
                .toList();
    }

    private static double total(Items items, int item) {
        return IntStream.range(items.starts()[item], items.starts()[item + 1])
                .mapToDouble(step -> reward(items, step))
                .sum();
    }

    /** The results of some rounds, as text. */
    private static String rounds(Adviser adviser, Grain grain, int from, int to, double factor) {
        StringBuilder all = new StringBuilder();
        for (int round = from; round <= to; round++) {
            Choice choice = adviser.ask(items(round, grain));
            Estimates told = adviser.tell(choice, scores(choice, grain, factor));
            all.append(Arrays.toString(choice.indices()))
                    .append(Arrays.toString(choice.weights()))
                    .append(Arrays.toString(divided(told.mean(), factor)))
                    .append(Arrays.toString(divided(told.deviation(), factor)))
                    .append(Arrays.toString(divided(told.corrected(), factor)))
                    .append(choice.expectedError() / factor)
                    .append(choice.randomError() / factor)
                    .append('\n');
        }
        return all.toString();
    }

    private static double[] divided(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value / factor).toArray();
    }

    @ParameterizedTest
    @EnumSource
    void theNumberOfThreadsDoesNotMatter(Grain grain) {
        try (Workers one = new Workers(1)) {
            Adviser alone = new Adviser(new AdviserSettings(WIDTH, grain, new Pace.Fixed(4), 1), one);
            assertThat(rounds(alone, grain, 1, 3, 1))
                    .isEqualTo(rounds(adviser(grain, new Pace.Fixed(4)), grain, 1, 3, 1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRestoredAdviserGoesOnAsIfItHadNeverStopped(Grain grain) {
        Adviser adviser = adviser(grain, new Pace.Fixed(4));
        rounds(adviser, grain, 1, 2, 1);
        Adviser restored = adviser(grain, new Pace.Fixed(4));
        restored.restore(adviser.snapshot());
        assertThat(rounds(restored, grain, 3, 4, 1)).isEqualTo(rounds(adviser, grain, 3, 4, 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0x1p-40, 2, 0x1p50})
    void theUnitOfScoresDoesNotMatter(double factor) {
        String ofOne = rounds(adviser(Grain.EPISODE, new Pace.Fixed(4)), Grain.EPISODE, 1, 3, 1);
        assertThat(rounds(adviser(Grain.EPISODE, new Pace.Fixed(4)), Grain.EPISODE, 1, 3, factor))
                .isEqualTo(ofOne);
    }

    @Test
    void theOrderOfScoresDoesNotMatter() {
        Adviser one = adviser(Grain.EPISODE, new Pace.Fixed(6));
        Adviser other = adviser(Grain.EPISODE, new Pace.Fixed(6));
        Choice choice = one.ask(items(1, Grain.EPISODE));
        List<Told> backwards = new ArrayList<>(scores(choice, Grain.EPISODE, 1));
        Collections.reverse(backwards);
        Estimates told = one.tell(choice, scores(choice, Grain.EPISODE, 1));
        Estimates toldBackwards = other.tell(other.ask(items(1, Grain.EPISODE)), backwards);
        assertThat(toldBackwards.mean()).isEqualTo(told.mean());
        assertThat(toldBackwards.corrected()).isEqualTo(told.corrected());
    }

    @ParameterizedTest
    @EnumSource
    void estimatingDoesNotLearn(Grain grain) {
        Adviser adviser = adviser(grain, new Pace.Fixed(4));
        rounds(adviser, grain, 1, 1, 1);
        Choice choice = adviser.ask(items(2, grain));
        Snapshot before = adviser.snapshot();
        // of another size, so that units and what is said of errors would change
        assertThat(adviser.estimate(choice, scores(choice, grain, 1e9)).mean()).isNotEqualTo(choice.predicted());
        Estimates estimated = adviser.estimate(choice, scores(choice, grain, 1));
        assertThatThrownBy(() -> adviser.estimate(choice, List.of(new Told(COUNT, new double[] {1}))))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(adviser.snapshot())
                .usingRecursiveComparison()
                .withStrictTypeChecking()
                .isEqualTo(before);
        assertThat(adviser.ask(items(2, grain), Ask.of(new Pace.Fixed(4), 2)).predicted())
                .isEqualTo(choice.predicted());
        Estimates told = adviser.tell(choice, scores(choice, grain, 1));
        assertThat(told.mean()).isEqualTo(estimated.mean());
        assertThat(told.deviation()).isEqualTo(estimated.deviation());
        assertThat(told.corrected()).isEqualTo(estimated.corrected());
    }

    @ParameterizedTest
    @EnumSource
    void moreRoundsGiveBetterEstimates(Grain grain) {
        Adviser adviser = adviser(grain, new Pace.Fixed(grain == Grain.STEP ? 1 : 6));
        double first = 0;
        double last = 0;
        for (int round = 1; round <= 12; round++) {
            Items items = items(round, grain);
            Choice choice = adviser.ask(items);
            Estimates told = adviser.tell(choice, scores(choice, grain, 1));
            last = IntStream.range(0, COUNT)
                    .mapToDouble(item -> Math.pow(told.mean()[item] - total(items, item), 2))
                    .sum();
            first = round == 1 ? last : first;
        }
        assertThat(last).isLessThan(0.1 * first);
    }

    /** Two sums over all items, each with scores that are not known to the adviser. */
    @ParameterizedTest
    @CsvSource({"0, 1", "3, 1", "-2, 4"})
    void correctedEstimatesGiveTheTwoTermsOfKernelQuadrature(double baseline, int groups) {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(5));
        rounds(adviser, Grain.EPISODE, 1, 2, 1);
        Choice choice = adviser.ask(items(3, Grain.EPISODE));
        List<Told> scores = scores(choice, Grain.EPISODE, 1);
        double[] rewards = adviser.tell(choice, scores).corrected();
        RandomStream random = RandomStream.of(1, Purpose.CHECK, 9);
        double[] gradients = IntStream.range(0, COUNT)
                .mapToDouble(j -> random.nextGaussian())
                .toArray();
        // subtracts a constant, or the mean of a group
        IntToDoubleFunction factor = j -> groups == 1
                ? gradients[j]
                : gradients[j]
                        - IntStream.range(0, COUNT)
                                .filter(k -> k % groups == j % groups)
                                .mapToDouble(k -> gradients[k])
                                .average()
                                .orElseThrow();
        double reinforce = 0;
        double modelled = 0;
        for (int j = 0; j < COUNT; j++) {
            int own = j;
            double subtracted = groups == 1
                    ? baseline
                    : IntStream.range(0, COUNT)
                            .filter(k -> k % groups == own % groups)
                            .mapToDouble(k -> rewards[k])
                            .average()
                            .orElseThrow();
            reinforce += (rewards[j] - subtracted) * gradients[j] / COUNT;
            modelled += (choice.predicted()[j] - (groups == 1 ? baseline : 0)) * factor.applyAsDouble(j) / COUNT;
        }
        for (int i = 0; i < choice.size(); i++) {
            int j = choice.indices()[i];
            double missed = scores.get(i).values()[0] - choice.predicted()[j];
            modelled += choice.weights()[i] * missed * factor.applyAsDouble(j);
        }
        assertThat(reinforce).isCloseTo(modelled, within(1e-12));
    }

    @Test
    void whereEveryStepHasAScoreTheScoredItemsAreKnown() {
        Adviser adviser = adviser(Grain.STEP, new Pace.Fixed(3));
        Items items = items(1, Grain.STEP);
        Choice choice = adviser.ask(items);
        Estimates told = adviser.tell(choice, scores(choice, Grain.STEP, 1));
        for (int item : choice.indices()) {
            assertThat(told.mean()[item]).isEqualTo(total(items, item));
            assertThat(told.deviation()[item]).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(Grain.class)
    void deviationsCoverTheErrors(Grain grain) {
        int covered = 0;
        int all = 0;
        for (int seed = 1; seed <= 8; seed++) {
            Adviser adviser = new Adviser(new AdviserSettings(WIDTH, grain, new Pace.Fixed(4), seed), workers);
            RandomStream noise = RandomStream.of(seed, Purpose.CHECK, 2);
            for (int round = 1; round <= 6; round++) {
                Items items = items(100 * seed + round, grain);
                Choice choice = adviser.ask(items);
                Estimates told = adviser.tell(
                        choice,
                        Arrays.stream(choice.indices())
                                .mapToObj(i -> score(items, i, grain, 1, 0.3 * noise.nextGaussian()))
                                .toList());
                for (int item = 0; round > 2 && item < COUNT; item++) {
                    if (told.deviation()[item] == 0) {
                        continue; // known
                    }
                    all++;
                    covered += Math.abs(told.mean()[item] - total(items, item)) < 2 * told.deviation()[item] ? 1 : 0;
                }
            }
        }
        // 95 % if errors were Gaussian and the model right
        assertThat((double) covered / all).isBetween(0.85, 0.995);
    }

    /** They come when they come, and not as a sample of what was chosen. */
    @ParameterizedTest
    @EnumSource(Grain.class)
    void scoresThatWereNotAskedForDoNotJudge(Grain grain) {
        Adviser adviser = adviser(grain, new Pace.Fixed(4));
        rounds(adviser, grain, 1, 2, 1);
        double[] before = judged(adviser);
        adviser.learn(items(3, grain), List.of(score(items(3, grain), 5, grain, 50, 0)));
        assertThat(judged(adviser)).isEqualTo(before);
    }

    private static double[] judged(Adviser adviser) {
        Snapshot state = adviser.snapshot();
        return Stream.of("calibration", "calibration_of_returns")
                .flatMapToDouble(name -> IntStream.range(0, 2).mapToDouble(i -> state.values(name, 2)[i]))
                .toArray();
    }

    @Test
    void asManyAreAskedForAsWhatIsKnownCallsFor() {
        Adviser adviser = adviser(Grain.EPISODE, AdviserSettings.auto(Integer.MAX_VALUE));
        List<Integer> asked = new ArrayList<>();
        for (int round = 1; round <= 29; round++) {
            Choice choice = adviser.ask(items(round, Grain.EPISODE));
            asked.add(choice.size());
            adviser.tell(choice, scores(choice, Grain.EPISODE, 1));
        }
        assertThat(asked.getFirst())
                .as("an eighth while nothing is known")
                .isEqualTo(COUNT / AdviserSettings.AUTO_SHARE);
        assertThat(asked.subList(20, 29))
                .as("between two checks, once enough is known")
                .containsOnly(0);
        assertThat(asked.get(19)).as("a check").isEqualTo(1);
    }

    @Test
    void askingAgainMakesTheSameChoiceUntilSomethingIsLearned() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        Items items = items(1, Grain.EPISODE);
        Ask how = Ask.of(new Pace.Fixed(4), 1);
        Choice choice = adviser.ask(items, how);
        assertThat(adviser.ask(items, how).indices()).isEqualTo(choice.indices());
        adviser.learn(items, List.of(score(items, choice.indices()[0], Grain.EPISODE, 1, 0)));
        assertThat(adviser.ask(items, how.withKnown(choice.indices()[0])).indices())
                .hasSize(4)
                .doesNotContain(choice.indices()[0]);
    }

    @Test
    void keptItemsComeFirstAndExcludedOnesNever() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        Items items = items(1, Grain.EPISODE);
        int[] all = adviser.ask(items, Ask.of(new Pace.Fixed(4), 1)).indices();
        Choice choice = adviser.ask(
                items, Ask.of(new Pace.Fixed(4), 1).withKept(all[2], all[3]).withExcluded(all[0]));
        assertThat(choice.indices()).hasSize(4).startsWith(all[2], all[3]).doesNotContain(all[0]);
        assertThat(Arrays.stream(choice.weights()).sum()).isCloseTo(1, within(1e-12));
    }

    @Test
    void itemsThatWereGivenUpLeaveTheirWeightToTheOthers() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        Choice choice = adviser.ask(items(1, Grain.EPISODE));
        List<Told> some = scores(choice, Grain.EPISODE, 1).subList(0, 2);
        Estimates told = adviser.tell(choice, some);
        double mean = choice.weights()[0] * some.get(0).values()[0]
                + choice.weights()[1] * some.get(1).values()[0];
        // nothing was expected of the first round, so the corrected mean is the weighted mean score
        assertThat(Arrays.stream(told.corrected()).average().orElseThrow())
                .isCloseTo(mean / (choice.weights()[0] + choice.weights()[1]), within(1e-9));
    }

    @Test
    void withoutScoresNothingIsLearned() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        Estimates told = adviser.tell(adviser.ask(items(1, Grain.EPISODE)), List.of());
        assertThat(told.mean()).containsOnly(0);
        assertThat(told.deviation()).containsOnly(Double.NaN);
        assertThat(told.corrected()).containsOnly(0);
    }

    @Test
    void badInputIsRefusedAndChangesNothing() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        Items items = items(1, Grain.EPISODE);
        Choice choice = adviser.ask(items);
        int asked = choice.indices()[0];
        int other = IntStream.range(0, COUNT)
                .filter(item -> Arrays.stream(choice.indices()).noneMatch(place -> place == item))
                .findFirst()
                .orElseThrow();
        assertRefused(() -> adviser.tell(choice, List.of(new Told(other, 1))), "item " + other + " was not asked for");
        assertRefused(() -> adviser.tell(choice, List.of(new Told(COUNT, 1))), "there is no item 24 among the 24");
        assertRefused(() -> adviser.tell(choice, List.of(new Told(asked, 1), new Told(asked, 1))), "has two scores");
        assertRefused(() -> adviser.tell(choice, List.of(new Told(asked, 1, 2))), "needs 1 score, got 2");
        assertRefused(() -> adviser.tell(choice, List.of(new Told(asked, Double.NaN))), "must be a finite number");
        assertRefused(() -> adviser.ask(Items.points(2, 1, 2)), "expected 3 features for each step, as before, got 2");
        assertRefused(() -> Items.points(3), "there are no items");
        assertRefused(() -> Items.points(3, 1, 2), "2 features are not whole rows of 3");
        assertRefused(
                () -> Items.points(2, 1, 2, 3, Float.NaN),
                "the features of item 1 must be finite, but number 1 is NaN");
        assertThat(adviser.ask(items, Ask.of(new Pace.Fixed(4), 1)).predicted()).isEqualTo(choice.predicted());
    }

    private static void assertRefused(Runnable call, String message) {
        assertThatThrownBy(call::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void theStateOfAnotherAdviserIsRefused() {
        Adviser adviser = adviser(Grain.EPISODE, new Pace.Fixed(4));
        assertRefused(
                () -> adviser.restore(adviser(Grain.STEP, new Pace.Fixed(4)).snapshot()),
                "the saved state has advise/grain STEP, but the settings EPISODE");
    }
}
