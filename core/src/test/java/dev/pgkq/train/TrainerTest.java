package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.gradient.AdvantageForm;
import dev.pgkq.gradient.SurrogateAscent;
import dev.pgkq.nn.Minibatches;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;

class TrainerTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");

    private static TrainSettings settings(String algorithm, int batch, int select) {
        return new TrainSettings(
                Algorithm.named(algorithm),
                batch,
                select,
                1,
                0.95,
                AdvantageForm.E2,
                true,
                false,
                0.2,
                new SurrogateAscent.Settings(new Minibatches(4, 2), 1e-3, 0, Double.POSITIVE_INFINITY),
                new Minibatches(4, 2),
                1e-3);
    }

    private static Snapshot copy(Snapshot live) {
        Map<String, float[]> tensors = new LinkedHashMap<>();
        live.tensors().forEach((name, values) -> tensors.put(name, values.clone()));
        return new Snapshot(tensors, Map.copyOf(live.counters()));
    }

    private static void same(Snapshot a, Snapshot b) {
        assertThat(a.counters()).isEqualTo(b.counters());
        assertThat(a.tensors().keySet()).isEqualTo(b.tensors().keySet());
        a.tensors()
                .forEach((name, values) ->
                        assertThat(values).as(name).isEqualTo(b.tensors().get(name)));
    }

    private static Snapshot train(String algorithm, int threads, int iterations) {
        try (Trainer trainer = new Trainer(PENDULUM, settings(algorithm, 12, 5), threads)) {
            for (int i = 0; i < iterations; i++) {
                trainer.iterate();
            }
            return copy(trainer.snapshot());
        }
    }

    @Test
    void everyAlgorithmGivesTheSameBitsOnAnyNumberOfThreads() {
        for (Algorithm algorithm : Algorithm.all()) {
            Snapshot one = train(algorithm.id(), 1, 3);
            same(train(algorithm.id(), 2, 3), one);
            same(train(algorithm.id(), 7, 3), one);
        }
    }

    @Test
    void stoppedAndRestoredEqualsUninterrupted() {
        Snapshot half = train("ppo-large", 2, 2);
        try (Trainer trainer = new Trainer(PENDULUM, settings("ppo-large", 12, 5), 2)) {
            trainer.restore(half);
            trainer.iterate();
            IterationReport report = trainer.iterate();
            assertThat(report.iteration()).isEqualTo(4);
            assertThat(report.rewardEvaluations()).isEqualTo(48);
            same(trainer.snapshot(), train("ppo-large", 2, 4));
        }
    }

    @Test
    void smallPaysForSelectEpisodesAndLargeForBatch() {
        for (String[] expected :
                new String[][] {{"vpg", "5"}, {"vpg-large", "12"}, {"ppo", "5"}, {"ppo-large", "12"}}) {
            try (Trainer trainer = new Trainer(PENDULUM, settings(expected[0], 12, 5), 2)) {
                IterationReport report = trainer.iterate();
                assertThat(report.episodes()).isEqualTo(Long.parseLong(expected[1]));
                assertThat(report.rewardEvaluations()).isEqualTo(Long.parseLong(expected[1]));
                assertThat(report.steps()).isEqualTo(200 * report.episodes());
                assertThat(report.endings().truncated()).isEqualTo((int) report.episodes());
            }
        }
    }

    @Test
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
    void selectMoreThanBatchIsRefused() {
        Assertions.assertThatThrownBy(() -> settings("ppo", 4, 5))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("select (5) must not exceed batch (4)");
    }

    @Test
    void anUnknownAlgorithmIsRefusedWithTheNearestNames() {
        Assertions.assertThatThrownBy(() -> Algorithm.named("ppo-larg"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("did you mean ppo-large?");
    }
}
