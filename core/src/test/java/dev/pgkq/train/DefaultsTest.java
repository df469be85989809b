package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.reward.Grain;
import dev.pgkq.train.TrainSettings.Preset;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The default of every setting, written out. Results in {@code docs} were measured with these values: a change of one is a
 * decision, and {@code docs/algorithms.md} has to say so.
 */
class DefaultsTest {
    private static final String ALWAYS = """
            seed                             7
            episodes.batch                   64
            episodes.onFailure               REWEIGHT
            networks.hidden.activation       RELU
            networks.normalizeObservations   false
            policy.clip                      0.2
            policy.ascent.learningRate       3.0E-4
            policy.ascent.schedule           Constant[]
            policy.ascent.entropyBonus       0.0
            policy.ascent.maxGradientNorm    Infinity
            baseline.minibatches.epochs      10
            baseline.learningRate            3.0E-4
            selection.scoreDimensions        32
            selection.gram                   EXACT
            selection.gramFeatures           512
            kernel.scale                     0.0
            kernel.noise                     -2.0
            kernel.gain                      1.0
            kernel.points                    64
            kernel.learningRate              3.0E-4
            model.mean.minibatches.epochs    30
            model.mean.minibatches.count     4
            model.mean.learningRate          3.0E-4
            """;

    private static final Map<Base, String> OF_BASE = Map.of(
            Base.VPG, """
            policy.ascent.minibatches.epochs 1
            policy.ascent.minibatches.count  1
            """,
            Base.PPO, """
            policy.ascent.minibatches.epochs 10
            policy.ascent.minibatches.count  4
            """);

    private static final Map<Grain, String> OF_GRAIN = Map.of(
            Grain.STEP, """
            advantage.discount               0.995
            advantage.estimator              BOOTSTRAP
            """,
            Grain.EPISODE, """
            advantage.discount               1.0
            advantage.estimator              E1
            """);

    private static final Map<Preset, String> OF_PRESET = Map.of(
            Preset.STANDARD, """
            advantage.stepDiscount           false
            advantage.standardize            true
            baseline.minibatches.count       16
            targets                          STANDARDIZED
            kernel.updates.count             40
            selection.quadrature             SEARCH
            selection.reweight               SIMPLEX
            selection.kernel                 SCORE
            selection.noise                  EXCLUDE
            model.correction                 MATCHED
            """,
            Preset.PAPER, """
            advantage.stepDiscount           true
            advantage.standardize            false
            baseline.minibatches.count       4
            targets                          RAW
            kernel.updates                   Pass[]
            selection.quadrature             RECOMBINATION
            selection.reweight               NONE
            selection.kernel                 SCALAR
            selection.noise                  INCLUDE
            model.correction                 PAPER
            """);

    private static final String OF_PAPER_WITH_REWARDS_PER_STEP = """
            advantage.estimator              E2
            """;

    private static final String OF_THE_PAPER = """
            model.learn                      AFTER
            model.mean.memory                0
            """;

    private static final String OF_FIXED_PACE = """
            episodes.select.count            8
            """;

    private static final String OF_AUTOMATIC_PACE = """
            episodes.select.most             8
            episodes.select.leastGain        0.3
            """;

    private static final String HELPED = """
            model.learn                      BEFORE
            model.mean.memory                15
            """;

    private static final String OF_STANDARD_KQ_PLUS = """
            selection.quadrature             PURSUIT
            """;

    private static final Set<Variant> HELPED_VARIANTS = EnumSet.of(
            Variant.KQ_PLUS,
            Variant.KQ_BAYES,
            Variant.RANDOM_BAYES,
            Variant.RANDOM_MEAN,
            Variant.IMPUTE,
            Variant.MODEL_ONLY);

    static List<Named<Combination>> combinations() {
        List<Named<Combination>> all = new ArrayList<>();
        for (Preset preset : Preset.values()) {
            for (Algorithm algorithm : Algorithm.all()) {
                for (Grain grain : Grain.values()) {
                    all.add(Named.of(
                            preset + " " + algorithm.id() + " " + grain, new Combination(preset, algorithm, grain)));
                }
            }
        }
        return all;
    }

    record Combination(Preset preset, Algorithm algorithm, Grain grain) {}

    @ParameterizedTest
    @MethodSource("combinations")
    void everyDefaultIsAsWrittenHere(Combination of) {
        boolean plus = of.algorithm.variant() == Variant.KQ_PLUS;
        Map<String, String> expected = new TreeMap<>();
        add(expected, ALWAYS);
        add(expected, Objects.requireNonNull(OF_BASE.get(of.algorithm.base())));
        add(expected, Objects.requireNonNull(OF_GRAIN.get(of.grain)));
        add(expected, Objects.requireNonNull(OF_PRESET.get(of.preset)));
        add(expected, of.preset == Preset.PAPER && of.grain == Grain.STEP ? OF_PAPER_WITH_REWARDS_PER_STEP : "");
        add(expected, of.algorithm.variant() == Variant.KQ_BAYES ? OF_AUTOMATIC_PACE : OF_FIXED_PACE);
        add(
                expected,
                of.preset == Preset.STANDARD && HELPED_VARIANTS.contains(of.algorithm.variant())
                        ? HELPED
                        : OF_THE_PAPER);
        add(expected, plus && of.preset == Preset.STANDARD ? OF_STANDARD_KQ_PLUS : "");
        expected.put("networks.hidden.units", "[200, 100]");
        expected.put("algorithm.base", of.algorithm.base().name());
        expected.put("algorithm.variant", of.algorithm.variant().name());
        expected.put("episodes.grain", of.grain.name());
        assertThat(values(TrainSettings.defaults(of.preset, of.algorithm, of.grain, 7)))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.Algorithm#all")
    void withoutFurtherWordsDefaultsAreTheStandardOnesOfRewardsPerStep(Algorithm algorithm) {
        assertThat(TrainSettings.defaults(algorithm, 7))
                .isEqualTo(TrainSettings.defaults(Preset.STANDARD, algorithm, Grain.STEP, 7));
    }

    private static void add(Map<String, String> values, String lines) {
        lines.lines().map(line -> line.split(" +")).forEach(words -> values.put(words[0], words[1]));
    }

    /** {@return every value of the settings by its path} */
    private static Map<String, String> values(TrainSettings settings) {
        Map<String, String> values = new TreeMap<>();
        addValues("", settings, values);
        return values;
    }

    private static void addValues(String path, Object value, Map<String, String> values) {
        if (!(value instanceof Record) || value.getClass().getRecordComponents().length == 0) {
            values.put(path, value.toString());
            return;
        }
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            String name = path.isEmpty() ? component.getName() : path + "." + component.getName();
            try {
                addValues(name, component.getAccessor().invoke(value), values);
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(name, e);
            }
        }
    }
}
