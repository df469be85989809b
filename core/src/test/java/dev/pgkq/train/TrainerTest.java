package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Pendulum;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.model.RewardModel;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.random.RandomStream;
import dev.pgkq.reward.Grain;
import dev.pgkq.state.Snapshot;
import dev.pgkq.state.Tensor;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainerTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");
    private static final String LENGTHS = "reward_memory/lengths";

    private static TrainSettings settings(String algorithm, int batch, int select) {
        return settings(Preset.STANDARD, algorithm, batch, select);
    }

    private static TrainSettings settings(Preset preset, String algorithm, int batch, int select) {
        TrainSettings defaults = TrainSettings.defaults(preset, Algorithm.named(algorithm), Grain.STEP, 1);
        TrainSettings.Model model = defaults.model();
        return defaults.withBatch(batch)
                .withSelect(select)
                .withDiscount(0.95)
                .withPolicy(new TrainSettings.Policy(
                        0.2, new SurrogateAscent.Settings(new Minibatches(4, 2), 1e-3, 0, Double.POSITIVE_INFINITY)))
                .withBaseline(new TrainSettings.Baseline(new Minibatches(4, 2), 1e-3))
                .withModel(new TrainSettings.Model(
                        new RewardModel.Settings(
                                new Minibatches(3, 2), 1e-3, model.mean().memory()),
                        model.learn(),
                        model.correction()));
    }

    private static void same(Snapshot a, Snapshot b) {
        assertThat(a.counters()).isEqualTo(b.counters());
        assertThat(a.attributes()).isEqualTo(b.attributes());
        assertThat(a.tensors().keySet()).isEqualTo(b.tensors().keySet());
        a.tensors().forEach((name, tensor) -> {
            assertThat(tensor.shape()).as(name).isEqualTo(b.tensor(name).shape());
            assertThat(tensor.values()).as(name).isEqualTo(b.tensor(name).values());
        });
    }

    private static Snapshot train(String algorithm, int threads, int iterations) {
        try (Trainer trainer = new Trainer(PENDULUM, settings(algorithm, 12, 5), threads)) {
            for (int i = 0; i < iterations; i++) {
                trainer.iterate();
            }
            return trainer.snapshot();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.Algorithm#ids")
    @Tag("unmutated")
    @Tag("slow")
    void everyAlgorithmGivesTheSameBitsOnAnyNumberOfThreads(String algorithm) {
        sameOnAnyNumberOfThreads(algorithm);
    }

    @ParameterizedTest
    @ValueSource(strings = {"vpg-kq-no-mean", "ppo-kq-plus"})
    @Tag("unmutated")
    void anyNumberOfThreadsGivesTheSameBits(String algorithm) {
        sameOnAnyNumberOfThreads(algorithm);
    }

    private static void sameOnAnyNumberOfThreads(String algorithm) {
        Snapshot one = train(algorithm, 1, 3);
        same(train(algorithm, 2, 3), one);
        same(train(algorithm, 7, 3), one);
    }

    static Stream<String> ppo() {
        return Algorithm.ids().stream().filter(id -> id.startsWith("ppo"));
    }

    static Stream<String> vpg() {
        return Algorithm.ids().stream().filter(id -> id.startsWith("vpg"));
    }

    @ParameterizedTest
    @MethodSource("ppo")
    @Tag("unmutated")
    void stoppedAndRestoredEqualsUninterrupted(String algorithm) {
        resumed(algorithm);
    }

    /** Between resumed runs the bases differ in the policy step only, so half of the algorithms are left to the thorough tests. */
    @ParameterizedTest
    @MethodSource("vpg")
    @Tag("slow")
    void stoppedAndRestoredEqualsUninterruptedWithVpg(String algorithm) {
        resumed(algorithm);
    }

    private static void resumed(String algorithm) {
        Snapshot half = train(algorithm, 2, 2);
        try (Trainer trainer = new Trainer(PENDULUM, settings(algorithm, 12, 5), 2)) {
            trainer.restore(half);
            trainer.iterate();
            assertThat(trainer.iterate().iteration()).isEqualTo(4);
            same(trainer.snapshot(), train(algorithm, 2, 4));
        }
    }

    /** Raw residuals move the start of the kernel once; a resumed run must not do it again. */
    @ParameterizedTest
    @ValueSource(strings = {"ppo-kq", "ppo-kq-no-mean"})
    @Tag("unmutated")
    void thePaperStoppedAndRestoredEqualsUninterrupted(String algorithm) {
        TrainSettings paper = settings(Preset.PAPER, algorithm, 6, 3);
        try (Trainer uninterrupted = new Trainer(PENDULUM, paper, 2);
                Trainer stopped = new Trainer(PENDULUM, paper, 2);
                Trainer resumed = new Trainer(PENDULUM, paper, 2)) {
            uninterrupted.iterate();
            uninterrupted.iterate();
            stopped.iterate();
            resumed.restore(stopped.snapshot());
            resumed.iterate();
            same(resumed.snapshot(), uninterrupted.snapshot());
        }
    }

    /** A checksum keeps damage away; what another version or program wrote has a right one. */
    @Test
    @Tag("unmutated")
    void aStateThatDoesNotFitIsRefused() {
        Snapshot fits = train("ppo-kq-plus", 2, 2);
        try (Trainer trainer = new Trainer(PENDULUM, settings("ppo-kq-plus", 12, 5), 2)) {
            fits.tensors().forEach((name, tensor) -> {
                refused(trainer, with(fits.tensors(), name, null), fits.counters());
                for (int by : new int[] {-1, 1}) {
                    refused(trainer, with(fits.tensors(), name, longer(tensor, by)), fits.counters());
                }
            });
            fits.counters().keySet().forEach(name -> {
                refused(trainer, fits.tensors(), with(fits.counters(), name, null));
                if (name.equals(Snapshot.ITERATION) || name.startsWith("reward_memory/")) {
                    for (long value : new long[] {-1, 1L << 31, Long.MIN_VALUE, Long.MAX_VALUE}) {
                        refused(trainer, fits.tensors(), with(fits.counters(), name, value));
                    }
                }
            });
            for (float length : new float[] {-1, 1e9f, Float.POSITIVE_INFINITY}) {
                float[] lengths = fits.tensor(LENGTHS).values().clone();
                lengths[1] = length;
                Tensor changed = Tensor.of(lengths, lengths.length);
                refused(trainer, with(fits.tensors(), LENGTHS, changed), fits.counters());
            }
            trainer.restore(fits);
            same(trainer.snapshot(), fits);
        }
    }

    /** The same tensor with so many entries more in its last dimension. */
    private static Tensor longer(Tensor tensor, int by) {
        int[] shape = tensor.shape().clone();
        shape[shape.length - 1] += by;
        int size = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        return Tensor.of(Arrays.copyOf(tensor.values(), size), shape);
    }

    private static void refused(Trainer trainer, Map<String, Tensor> tensors, Map<String, Long> counters) {
        Assertions.assertThatThrownBy(() -> trainer.restore(new Snapshot(tensors, counters, Map.of())))
                .isExactlyInstanceOf(IllegalArgumentException.class);
    }

    private static <T> Map<String, T> with(Map<String, T> all, String name, @Nullable T value) {
        Map<String, T> changed = new LinkedHashMap<>(all);
        changed.remove(name);
        if (value != null) {
            changed.put(name, value);
        }
        return changed;
    }

    @ParameterizedTest
    @MethodSource("dev.pgkq.train.Algorithm#ids")
    @Tag("unmutated")
    void onlyLargePaysForTheWholeBatchAndOnlySmallSamplesLess(String algorithm) {
        Variant variant = Algorithm.named(algorithm).variant();
        try (Trainer trainer = new Trainer(PENDULUM, settings(algorithm, 12, 5), 2)) {
            IterationReport report = trainer.iterate();
            int sampled = variant == Variant.SMALL ? 5 : 12;
            int paid = variant == Variant.LARGE ? 12 : 5;
            assertThat(report.episodes()).isEqualTo(sampled);
            assertThat(report.rewardEvaluations()).isBetween(1L, (long) paid);
            if (!variant.choosesByKernel()) {
                assertThat(report.rewardEvaluations()).isEqualTo(paid);
            }
            assertThat(report.steps()).isEqualTo(200 * report.episodes());
            assertThat(report.endings().truncated()).isEqualTo((int) report.episodes());
            assertThat(Double.isFinite(report.choice().error())).isEqualTo(variant.choosesByKernel());
            assertThat(Double.isFinite(report.lesson().meanError())).isEqualTo(variant.modelsRewards());
        }
    }

    /** Observations that are finite and too large for float32 networks. */
    @Test
    void aParameterThatIsNotFiniteEndsTraining() {
        Task huge = new Task("Huge-v0", "", () -> new HugeObservations(new Pendulum()));
        try (Trainer trainer = new Trainer(huge, settings("ppo-large", 4, 2), 1)) {
            Assertions.assertThatThrownBy(trainer::iterate)
                    .isInstanceOfSatisfying(
                            TrainingDivergedException.class,
                            diverged -> assertThat(diverged.iteration()).isEqualTo(1))
                    .hasMessageContaining("no longer finite after iteration 1");
        }
    }

    private record HugeObservations(Environment plain) implements Environment {
        @Override
        public EnvironmentSpec spec() {
            return plain.spec();
        }

        @Override
        public void reset(RandomStream random) {
            plain.reset(random);
        }

        @Override
        public Outcome step(float[] action) {
            return plain.step(new float[action.length]);
        }

        @Override
        public void observation(float[] into) {
            Arrays.fill(into, Float.MAX_VALUE);
        }

        @Override
        public void state(double[] into) {
            plain.state(into);
        }

        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return plain.reward(before, new float[action.length], after);
        }
    }

    @Test
    @Tag("slow")
    void ppoLearnsToSwingThePendulumHigher() {
        List<Double> returns = new ArrayList<>();
        try (Trainer trainer = new Trainer(PENDULUM, settings("ppo-large", 32, 8), 2)) {
            for (int i = 0; i < 60; i++) {
                returns.add(trainer.iterate().returnMean());
            }
        }
        double start =
                returns.subList(0, 5).stream().mapToDouble(x -> x).average().orElseThrow();
        double end =
                returns.subList(55, 60).stream().mapToDouble(x -> x).average().orElseThrow();
        // Returns start near −1200 and scatter by about 50 from one batch to the next.
        assertThat(end).isGreaterThan(start + 250);
    }

    @Test
    void anUnknownAlgorithmIsRefusedWithTheNearestNames() {
        Assertions.assertThatThrownBy(() -> Algorithm.named("ppo-larg"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("did you mean ppo-large?");
    }
}
