package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.rewards.people.PairDesign.Pair;
import dev.pgkq.rewards.people.Scores.EarlierScore;
import dev.pgkq.rewards.people.Scores.Opinion;
import dev.pgkq.rewards.people.Scores.Score;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ScoresTest {
    private static <T> T of(Map<String, T> map, String key) {
        return Objects.requireNonNull(map.get(key));
    }

    @Test
    void withoutEarlierOnesTheLevelIsZero() {
        Map<String, Score> scores = Scores.of(
                List.of("a", "b", "c"),
                Map.of(),
                List.of(new Opinion("a", "b", 1), new Opinion("b", "c", 1), new Opinion("a", "c", 1)));

        assertThat(scores.values().stream().mapToDouble(Score::value).sum()).isCloseTo(0, within(1e-9));
        assertThat(of(scores, "a").value()).isGreaterThan(of(scores, "b").value());
    }

    @Test
    void allThatBeatTheOldOnesAreAboveThem() {
        Map<String, EarlierScore> told = Map.of("x", new EarlierScore(5, 0.5), "y", new EarlierScore(6, 0.5));
        Map<String, Score> scores = Scores.of(
                List.of("a", "b"),
                told,
                List.of(new Opinion("a", "x", 1), new Opinion("b", "y", 1), new Opinion("a", "b", 0.5)));

        assertThat(of(scores, "a").value()).isGreaterThan(6);
        assertThat(of(scores, "b").value()).isGreaterThan(6);
    }

    /** The level follows the old scores; the prior does not pull it back to zero. */
    @Test
    void theScaleIsThatOfTheOldOnes() {
        List<Opinion> opinions =
                List.of(new Opinion("a", "x", 0.5), new Opinion("b", "x", 0.5), new Opinion("a", "b", 0.5));
        Map<String, Score> low = Scores.of(List.of("a", "b"), Map.of("x", new EarlierScore(0, 1)), opinions);
        Map<String, Score> high = Scores.of(List.of("a", "b"), Map.of("x", new EarlierScore(40, 1)), opinions);

        assertThat(of(low, "a").value()).isCloseTo(0, within(1e-9));
        assertThat(of(high, "a").value()).isCloseTo(40, within(1e-9));
    }

    @Test
    void anUnsureMeasureMakesUnsureScores() {
        List<Opinion> opinions = List.of(new Opinion("a", "x", 1), new Opinion("a", "x", 0));

        double sure = of(Scores.of(List.of("a"), Map.of("x", new EarlierScore(0, 0.1)), opinions), "a")
                .error();
        double unsure = of(Scores.of(List.of("a"), Map.of("x", new EarlierScore(0, 3)), opinions), "a")
                .error();
        assertThat(unsure).isGreaterThan(1.3 * sure);
    }

    /**
     * A policy improves by 0.5 per iteration, with six episodes each, the pairs of the design and twenty raters per pair. The level of
     * the last iteration must be within five standard errors. These are bounded by the errors of the fit: the error of an
     * iteration's level is that of its links, which are independent, so the variance is that of the sum of 8 of them.
     */
    @Test
    void theScaleHoldsOverManyIterations() {
        Random random = new Random(8);
        int iterations = 8;
        Map<String, EarlierScore> told = new HashMap<>();
        Map<String, Double> truth = new HashMap<>();
        List<String> before = List.of();
        double drift = 0;
        double first = 0;
        double variance = 0;
        for (int iteration = 0; iteration < iterations; iteration++) {
            List<String> fresh = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                String key = Long.toHexString(random.nextLong());
                fresh.add(key);
                truth.put(key, 0.5 * iteration + random.nextGaussian());
            }
            List<Opinion> opinions = new ArrayList<>();
            for (Pair pair : PairDesign.of(fresh, before)) {
                for (int rater = 0; rater < 20; rater++) {
                    double p = 1 / (1 + Math.exp(of(truth, pair.second()) - of(truth, pair.first())));
                    opinions.add(new Opinion(pair.first(), pair.second(), random.nextDouble() < p ? 1 : 0));
                }
            }
            Map<String, Score> scores = Scores.of(fresh, told, opinions);
            double error = 0;
            drift = 0;
            for (String key : fresh) {
                Score score = of(scores, key);
                told.put(key, new EarlierScore(score.value(), score.error()));
                drift += (score.value() - of(truth, key)) / 6;
                error = Math.max(error, score.error());
            }
            first = iteration == 0 ? drift : first;
            variance += error * error;
            before = fresh;
        }
        assertThat(Math.abs(drift - first)).isLessThan(5 * Math.sqrt(variance));
        // Without the links the levels would be indistinguishable; the true one has risen by 3.5.
        assertThat(before.stream()
                                .mapToDouble(key -> of(told, key).score())
                                .average()
                                .orElseThrow()
                        - first)
                .isGreaterThan(1.5);
    }
}
