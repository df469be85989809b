package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.credit.AdvantageForm;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.nn.TargetUnits;
import dev.pgkq.purchase.OnFailure;
import dev.pgkq.quadrature.Quadrature;
import dev.pgkq.reward.Grain;
import dev.pgkq.select.Pace;
import dev.pgkq.train.TrainSettings.Advantage;
import dev.pgkq.train.TrainSettings.Baseline;
import dev.pgkq.train.TrainSettings.Policy;
import dev.pgkq.train.TrainSettings.Preset;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class TrainSettingsTest {
    private static final TrainSettings DEFAULTS = TrainSettings.defaults(Algorithm.named("ppo-kq-plus"), 1);
    private static final Minibatches ONCE = new Minibatches(1, 1);

    @Test
    void theDefaultsCanBeChangedOneByOne() {
        TrainSettings changed = DEFAULTS.withBatch(32)
                .withSelect(4)
                .withSeed(7)
                .withDiscount(0.9)
                .withOnFailure(OnFailure.STOP)
                .withSelection(DEFAULTS.selection().withQuadrature(Quadrature.HERDING));

        assertThat(changed.episodes())
                .isEqualTo(new TrainSettings.Episodes(32, new Pace.Fixed(4), Grain.STEP, OnFailure.STOP));
        assertThat(changed.seed()).isEqualTo(7);
        assertThat(changed.advantage()).isEqualTo(new Advantage(0.9, AdvantageForm.BOOTSTRAP, false, true));
        assertThat(changed.selection().quadrature()).isEqualTo(Quadrature.HERDING);
        assertThat(changed.kernel()).isEqualTo(DEFAULTS.kernel());
        assertThat(changed.model()).isEqualTo(DEFAULTS.model());
    }

    @Test
    void aSmallerBatchTakesSelectAlong() {
        assertThat(DEFAULTS.withBatch(4).episodes().select().most()).isEqualTo(4);
        assertThat(DEFAULTS.withBatch(100).episodes().select().most()).isEqualTo(8);
    }

    @Test
    void onlyTheVariantsThatSampleOrEvaluateAllIgnoreOneOfTheSizes() {
        assertThat(TrainSettings.defaults(Algorithm.named("ppo"), 1).sampled()).isEqualTo(8);
        assertThat(TrainSettings.defaults(Algorithm.named("ppo-large"), 1).paid())
                .isEqualTo(64);
        assertThat(DEFAULTS.sampled()).isEqualTo(64);
        assertThat(DEFAULTS.paid()).isEqualTo(8);
    }

    static Stream<Arguments> mistakes() {
        TrainSettings single = TrainSettings.defaults(Preset.STANDARD, DEFAULTS.algorithm(), Grain.EPISODE, 1);
        return Stream.of(
                mistake("batch must be at least 1, got 0", () -> DEFAULTS.withBatch(0)),
                mistake("select must be at least 1, got 0", () -> DEFAULTS.withSelect(0)),
                mistake(
                        "select (9) must not exceed batch (8): only sampled episodes can be evaluated",
                        () -> DEFAULTS.withBatch(8).withSelect(9)),
                mistake("batch must be at most 46340 where a kernel chooses", () -> DEFAULTS.withBatch(50_000)),
                mistake("discount must be above 0 and at most 1, got 0.0", () -> DEFAULTS.withDiscount(0)),
                mistake("discount must be above 0 and at most 1, got 1.5", () -> DEFAULTS.withDiscount(1.5)),
                mistake("discount must be above 0 and at most 1, got NaN", () -> DEFAULTS.withDiscount(Double.NaN)),
                mistake("discount must be 1 where an episode has a single reward", () -> single.withDiscount(0.9)),
                mistake(
                        "estimator must be e1 where an episode has a single reward",
                        () -> single.withAdvantage(new Advantage(1, AdvantageForm.E2, false, true))),
                mistake(
                        "clip must be between 0 and 1, got 1.0",
                        () -> new Policy(1, DEFAULTS.policy().ascent())),
                mistake(
                        "learning rate of the policy must be a finite number above 0, got 0.0",
                        () -> new SurrogateAscent.Settings(ONCE, 0, 0, 1)),
                mistake(
                        "entropy bonus must be a finite number of at least 0, got -1.0",
                        () -> new SurrogateAscent.Settings(ONCE, 1, -1, 1)),
                mistake(
                        "largest gradient norm must be above 0, got NaN",
                        () -> new SurrogateAscent.Settings(ONCE, 1, 0, Double.NaN)),
                mistake(
                        "learning rate of the baseline must be a finite number above 0, got Infinity",
                        () -> new Baseline(ONCE, Double.POSITIVE_INFINITY)),
                mistake(
                        "memory of the reward model must be at least 0, got -1",
                        () -> new RewardModel.Settings(ONCE, 1, -1)),
                mistake(
                        "points of a kernel minibatch must be at least 2, got 1",
                        () -> new DeepKernel.Settings(0, 0, 1, 1, 1, 1)),
                mistake(
                        "gain of the kernel must be a finite number above 0, got 0.0",
                        () -> new DeepKernel.Settings(0, 0, 0, 2, 1, 1)),
                mistake("updates of the kernel must be at least 0, got -1", () -> new KernelUpdates.Fixed(-1)),
                mistake("minibatches must be at least 1, got 0", () -> new Minibatches(1, 0)),
                mistake("score dimensions must be at least 0, got -1", () -> withDimensions(-1)),
                mistake(
                        "Gram features must be at least 2, got 0",
                        () -> DEFAULTS.selection().withFeatures(0)),
                mistake(
                        "Gram features must be an even number, got 3",
                        () -> DEFAULTS.selection().withFeatures(3)));
    }

    private static SelectionSettings withDimensions(int dimensions) {
        SelectionSettings defaults = DEFAULTS.selection();
        return new SelectionSettings(
                defaults.quadrature(),
                defaults.reweight(),
                defaults.kernel(),
                dimensions,
                defaults.noise(),
                defaults.gram(),
                defaults.gramFeatures());
    }

    /** What is just allowed, next to what {@link #mistakes} refuse. */
    @Test
    void limitsThemselvesAreAllowed() {
        assertThat(DEFAULTS.withBatch(TrainSettings.LARGEST_KERNEL_BATCH)
                        .episodes()
                        .batch())
                .isEqualTo(46_340);
        assertThat(DEFAULTS.selection().withFeatures(2).gramFeatures()).isEqualTo(2);
        assertThat(withDimensions(0).scoreDimensions()).isZero();
        assertThat(new Advantage(1, AdvantageForm.E1, false, true).discount()).isEqualTo(1);
    }

    private static Arguments mistake(String message, ThrowingCallable code) {
        return Arguments.of(message, code);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("mistakes")
    void aMistakeIsNamedInWordsWithoutOptionsOfACommandLine(String message, ThrowingCallable code) {
        assertThatThrownBy(code)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message)
                .hasMessageNotContaining("--");
    }

    @Test
    void thePaperHasRawTargetsAndOnePassOfTheKernel() {
        TrainSettings paper = TrainSettings.defaults(Preset.PAPER, Algorithm.named("ppo-kq"), Grain.STEP, 1);

        assertThat(paper.targets()).isEqualTo(TargetUnits.RAW);
        assertThat(paper.kernel()).isEqualTo(new DeepKernel.Settings(0, -2, 1, 64, new KernelUpdates.Pass(), 3e-4));
        assertThat(DEFAULTS.targets()).isEqualTo(TargetUnits.STANDARDIZED);
        assertThat(DEFAULTS.kernel())
                .isEqualTo(new DeepKernel.Settings(0, -2, 1, 64, new KernelUpdates.Fixed(40), 3e-4));
    }

    @ParameterizedTest
    @EnumSource(Preset.class)
    void theySurviveSerialization(Preset preset) throws Exception {
        TrainSettings settings = TrainSettings.defaults(preset, Algorithm.named("ppo-kq"), Grain.STEP, 1);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(settings);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(settings);
        }
    }
}
