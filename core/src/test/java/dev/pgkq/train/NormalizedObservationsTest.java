package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.model.Learner;
import dev.pgkq.nn.InputScale;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.select.Selection;
import dev.pgkq.state.Snapshot;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Training with observations in units of their running mean and deviation. */
class NormalizedObservationsTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");

    private static TrainSettings settings(String algorithm) {
        return TrainSettings.defaults(Algorithm.named(algorithm), 1)
                .withBatch(6)
                .withSelect(3)
                .withNormalizedObservations(true);
    }

    private static Trainer trained(TrainSettings settings, int threads, int iterations) {
        Trainer trainer = new Trainer(PENDULUM, settings, threads);
        for (int i = 0; i < iterations; i++) {
            trainer.iterate();
        }
        return trainer;
    }

    private static void same(Snapshot a, Snapshot b) {
        assertThat(a.counters()).isEqualTo(b.counters());
        assertThat(a.tensors().keySet()).isEqualTo(b.tensors().keySet());
        a.tensors()
                .forEach((name, tensor) -> assertThat(tensor.values())
                        .as(name)
                        .isEqualTo(b.tensor(name).values()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ppo-kq-plus", "vpg-kq-no-mean", "ppo-kq-bayes"})
    void anyNumberOfThreadsAndAResumedRunGiveTheSameBits(String algorithm) {
        TrainSettings settings = settings(algorithm);
        try (Trainer whole = trained(settings, 1, 3);
                Trainer half = trained(settings, 3, 1);
                Trainer resumed = new Trainer(PENDULUM, settings, 2)) {
            resumed.restore(half.snapshot());
            resumed.iterate();
            resumed.iterate();
            same(resumed.snapshot(), whole.snapshot());
        }
    }

    /** Those of an iteration count from the next one on. */
    @Test
    void statisticsAreThoseOfAllSampledObservations() {
        InputScale expected = new InputScale(PENDULUM.spec().observationSize());
        try (Trainer trainer = new Trainer(PENDULUM, settings("ppo-kq-plus"), 2)) {
            for (int i = 0; i < 3; i++) {
                trainer.iterate(new Observer() {
                    @Override
                    public void chosen(int iteration, EpisodeBatch batch, Selection selection) {
                        assertThat(trainer.policy().inputScale().values()).isEqualTo(expected.values());
                        expected.add(batch.steps().observations());
                    }

                    @Override
                    public void paid(int iteration, PaidBatch paid, Learner learner) {
                        // nothing
                    }

                    @Override
                    public void finished(IterationReport report, double[] monitored) {
                        // nothing
                    }
                });
                assertThat(trainer.policy().inputScale().values()).isEqualTo(expected.values());
            }
        }
    }

    @Test
    void theFirstIterationIsThatWithoutNormalisationAndLaterOnesAreNot() {
        TrainSettings normalised = settings("ppo-kq");
        try (Trainer with = new Trainer(PENDULUM, normalised, 2);
                Trainer without = new Trainer(PENDULUM, normalised.withNormalizedObservations(false), 2)) {
            with.iterate();
            without.iterate();
            assertThat(with.policy().parameters()).isEqualTo(without.policy().parameters());
            with.iterate();
            without.iterate();
            assertThat(with.policy().parameters()).isNotEqualTo(without.policy().parameters());
            assertThatThrownBy(() -> without.restore(with.snapshot()))
                    .hasMessage("the saved policy normalises observations");
        }
    }
}
