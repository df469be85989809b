package dev.pgkq.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Pendulum;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.env.Tasks;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.RandomStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

class LocalRolloutsTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");

    /** A counter that ends by its own start: terminates after 10 k steps, or blows up after 5 k. */
    static class Countdown implements Environment {
        private int steps;
        private int limit;
        private boolean explosive;

        @Override
        public EnvironmentSpec spec() {
            return EnvironmentSpec.symmetric(3, 1, 1, 1, 40);
        }

        @Override
        public void reset(RandomStream random) {
            steps = 0;
            limit = random.nextInt(60);
            explosive = random.nextDouble() < 0.3;
        }

        @Override
        public Outcome step(float[] action) {
            steps++;
            if (steps < limit) {
                return Outcome.CONTINUES;
            }
            return explosive ? Outcome.DIVERGED : Outcome.TERMINATED;
        }

        @Override
        public void observation(float[] into) {
            into[0] = steps;
            into[1] = limit;
            into[2] = explosive ? 1 : 0;
        }

        @Override
        public void state(double[] into) {
            into[0] = steps;
        }

        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return after[0] - before[0];
        }
    }

    private static List<Episode> sample(Task task, int threads, int iteration, int count) {
        EnvironmentSpec spec = task.spec();
        Policy policy = Policy.initialize(spec, 1);
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, 7, RolloutMode.TRAINING, workers)) {
            rollouts.sample(policy, iteration + 1, 3); // used simulators must not matter
            return rollouts.sample(policy, iteration, count);
        }
    }

    private static void same(Episode a, Episode b) {
        assertThat(a).usingRecursiveComparison().isEqualTo(b);
    }

    static final List<Task> TASKS =
            List.of(PENDULUM, Tasks.named("Acrobot-v1"), new Task("Countdown-v0", "", Countdown::new));

    @ParameterizedTest
    @FieldSource("TASKS")
    void theSameSeedGivesTheSameBitsOnOneTwoOrSevenThreads(Task task) {
        List<Episode> one = sample(task, 1, 4, 37);
        for (int threads : new int[] {2, 7}) {
            List<Episode> many = sample(task, threads, 4, 37);
            for (int i = 0; i < 37; i++) {
                same(many.get(i), one.get(i));
            }
        }
    }

    @Test
    void anEpisodeIsTheSameWhateverTheSizeOfItsBatch() {
        List<Episode> large = sample(PENDULUM, 2, 4, 30);
        List<Episode> small = sample(PENDULUM, 2, 4, 3);
        for (int i = 0; i < 3; i++) {
            same(small.get(i), large.get(i));
        }
    }

    @Test
    void episodesAndIterationsDiffer() {
        List<Episode> first = sample(PENDULUM, 2, 1, 2);
        List<Episode> second = sample(PENDULUM, 2, 2, 1);
        assertThat(first.get(0).actions()).isNotEqualTo(first.get(1).actions());
        assertThat(first.get(0).states()).isNotEqualTo(second.get(0).states());
    }

    @Test
    void terminatedTruncatedAndDivergedAreToldApartAndADivergedStepIsNotCounted() {
        List<Episode> episodes = sample(new Task("Countdown-v0", "", Countdown::new), 2, 1, 200);
        int[] seen = new int[Ending.values().length];
        for (Episode episode : episodes) {
            seen[episode.ending().ordinal()]++;
            int steps = (int) episode.states()[episode.length()];
            assertThat(steps).isEqualTo(episode.length());
            if (episode.ending() == Ending.TRUNCATED) {
                assertThat(episode.length()).isEqualTo(40);
            } else if (episode.length() > 0) {
                int limit = Math.max(1, (int) episode.observations()[1]);
                assertThat(episode.length()).isEqualTo(episode.ending() == Ending.DIVERGED ? limit - 1 : limit);
            }
        }
        assertThat(seen).doesNotContain(0);
    }

    @Test
    void anEnvironmentCanCutItsEpisodesOffItself() {
        Task task = new Task("Cut-v0", "", () -> new Countdown() {
            @Override
            public Outcome step(float[] action) {
                Outcome outcome = super.step(action);
                return outcome == Outcome.CONTINUES ? outcome : Outcome.TRUNCATED;
            }
        });
        for (Episode episode : sample(task, 2, 1, 30)) {
            int limit = Math.max(1, (int) episode.observations()[1]);
            assertThat(episode.ending()).isEqualTo(Ending.TRUNCATED);
            assertThat(episode.length()).isEqualTo(Math.min(40, limit));
            assertThat(episode.finalObservation()[0]).isEqualTo(episode.length());
        }
    }

    @Test
    void evaluationTakesTheMeanActionFromOtherStarts() {
        Policy policy = Policy.gaussian(3, 1, 1);
        try (Workers workers = new Workers(2);
                LocalRollouts rollouts = new LocalRollouts(PENDULUM, 7, RolloutMode.EVALUATION, workers)) {
            Episode episode = rollouts.sample(policy, 0, 1).getFirst();
            Policy.Batch batch = policy.batch(1);
            for (int t = 0; t < episode.length(); t++) {
                System.arraycopy(episode.observations(), 3 * t, batch.observations(), 0, 3);
                policy.act(batch, 1);
                assertThat(episode.actions()[t]).isEqualTo(batch.outputs()[0]);
            }
            assertThat(episode.states()[0])
                    .isNotEqualTo(sample(PENDULUM, 1, 0, 1).getFirst().states()[0]);
        }
    }

    @Test
    void replayingTheActionsOfAnEpisodeGivesItsStates() {
        Episode episode = sample(PENDULUM, 2, 3, 5).get(4);
        Pendulum pendulum = new Pendulum();
        pendulum.reset(RandomStream.of(7, dev.pgkq.random.Purpose.RESET, 3, 4));
        float[] action = new float[1];
        double[] state = new double[2];
        for (int t = 0; t < episode.length(); t++) {
            pendulum.spec().toEnvironment(episode.actions(), t, action);
            pendulum.step(action);
            pendulum.state(state);
            assertThat(state).containsExactly(episode.states()[2 * t + 2], episode.states()[2 * t + 3]);
        }
    }

    @Test
    void aTaskThatThrowsOrIsBlindIsNamed() {
        Task throwing = new Task("Throwing-v0", "", () -> new Countdown() {
            @Override
            public void observation(float[] into) {
                throw new IllegalStateException("a fault");
            }
        });
        assertThatThrownBy(() -> sample(throwing, 2, 1, 3))
                .isInstanceOfSatisfying(
                        TaskFailureException.class,
                        failure -> assertThat(failure.taskId()).isEqualTo("Throwing-v0"))
                .hasMessageContaining(
                        "sampling Throwing-v0 failed in iteration 2: java.lang.IllegalStateException: a fault");
        Task blind = new Task("Blind-v0", "", () -> new Countdown() {
            @Override
            public void observation(float[] into) {
                into[0] = Float.NaN;
            }
        });
        assertThatThrownBy(() -> sample(blind, 2, 1, 3))
                .isInstanceOf(TaskFailureException.class)
                .hasMessageContaining("observation 0 of Blind-v0 is NaN at step 0 of episode ");
    }
}
