package dev.pgkq.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Simulators that do what they are asked for as late as is allowed. */
class SimulatorsInPartsTest {
    private static final Task PLAIN = new Task("Countdown-v0", "", LocalRolloutsTest.Countdown::new);

    /** Begins turns when they are waited for. */
    private static final class Late implements Simulators {
        private final Simulators simulators = PLAIN.openGroup();
        private final Queue<Turn> turns = new ArrayDeque<>();
        private final int together;
        private final int parts;
        private final AtomicInteger failsIn;
        private int mostAtOnce;

        Late(int together, int parts, AtomicInteger failsIn) {
            this.together = together;
            this.parts = parts;
            this.failsIn = failsIn;
        }

        @Override
        public EnvironmentSpec spec() {
            return simulators.spec();
        }

        @Override
        public int together() {
            return together;
        }

        @Override
        public int parts() {
            return parts;
        }

        @Override
        public void begin(Turn turn) {
            assertThat(slots(turn)).isNotEmpty().doesNotHaveDuplicates();
            turns.forEach(other -> assertThat(slots(turn)).doesNotContainAnyElementsOf(slots(other)));
            turns.add(turn);
            mostAtOnce = Math.max(mostAtOnce, turns.size());
        }

        private static List<Integer> slots(Turn turn) {
            return IntStream.concat(IntStream.of(turn.stepped()), IntStream.of(turn.started()))
                    .boxed()
                    .toList();
        }

        @Override
        public Outcome[] finish() {
            if (failsIn.decrementAndGet() == 0) {
                throw new IllegalStateException("a fault");
            }
            simulators.begin(turns.remove());
            return simulators.finish();
        }

        @Override
        public void observation(int slot, float[] into) {
            turns.forEach(turn -> assertThat(slots(turn)).doesNotContain(slot));
            simulators.observation(slot, into);
        }

        @Override
        public void state(int slot, double[] into) {
            turns.forEach(turn -> assertThat(slots(turn)).doesNotContain(slot));
            simulators.state(slot, into);
        }

        @Override
        public void close() {
            assertThat(mostAtOnce).isLessThanOrEqualTo(parts);
            simulators.close();
        }
    }

    private static Task late(int together, int parts, AtomicInteger failsIn) {
        return new Task(
                "Late-v0",
                "",
                LocalRolloutsTest.Countdown::new,
                Optional.empty(),
                () -> new Late(together, parts, failsIn),
                Optional.empty());
    }

    private static List<Episode> sample(LocalRollouts rollouts, int count) {
        return rollouts.sample(Policy.initialize(PLAIN.spec(), 1), 2, count);
    }

    private static List<Episode> plain(int count) {
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(PLAIN, 7, RolloutMode.TRAINING, workers)) {
            return sample(rollouts, count);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 2, 1", "2, 2, 1", "5, 2, 2", "8, 3, 2", "4, 8, 3", "64, 2, 2"})
    void giveTheSameBitsWhateverTheirNumberAndThatOfThreads(int together, int parts, int threads) {
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(
                        late(together, parts, new AtomicInteger()), 7, RolloutMode.TRAINING, workers)) {
            for (int count : new int[] {1, 37, 3}) {
                assertThat(sample(rollouts, count)).usingRecursiveComparison().isEqualTo(plain(count));
            }
        }
    }

    @Test
    void canBeUsedAgainAfterAFault() {
        AtomicInteger failsIn = new AtomicInteger(20);
        try (Workers workers = new Workers(1);
                LocalRollouts rollouts = new LocalRollouts(late(8, 2, failsIn), 7, RolloutMode.TRAINING, workers)) {
            assertThatThrownBy(() -> sample(rollouts, 30)).isInstanceOf(TaskFailureException.class);
            assertThat(sample(rollouts, 30)).usingRecursiveComparison().isEqualTo(plain(30));
        }
    }
}
