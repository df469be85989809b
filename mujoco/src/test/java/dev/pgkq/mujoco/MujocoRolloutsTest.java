package dev.pgkq.mujoco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.env.EnvironmentChecker;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.LocalRollouts;
import dev.pgkq.episode.RolloutMode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.Rewards;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/** The tasks in use: sampled on any number of threads, checked like anybody's, rewarded after the fact. */
class MujocoRolloutsTest {
    static final List<Task> TASKS = new MujocoTasks().tasks();

    private static List<Episode> sample(Task task, int threads, int count, float wideness) {
        EnvironmentSpec spec = task.spec();
        Policy policy = Policy.initialize(spec, 1);
        float[] parameters = policy.parameters();
        for (int i = parameters.length - spec.actionSize(); i < parameters.length; i++) {
            parameters[i] = wideness;
        }
        try (Workers workers = new Workers(threads);
                LocalRollouts rollouts = new LocalRollouts(task, 3, RolloutMode.TRAINING, workers)) {
            return rollouts.sample(policy, 1, count);
        }
    }

    @ParameterizedTest
    @FieldSource("TASKS")
    void theSameSeedGivesTheSameBitsOnOneTwoOrSevenThreads(Task task) {
        List<Episode> one = sample(task, 1, 12, -1);
        for (int threads : new int[] {2, 7}) {
            List<Episode> many = sample(task, threads, 12, -1);
            for (int i = 0; i < one.size(); i++) {
                assertThat(many.get(i))
                        .as("%s on %d threads, episode %d", task.id(), threads, i)
                        .usingRecursiveComparison()
                        .isEqualTo(one.get(i));
            }
        }
    }

    @ParameterizedTest
    @FieldSource("TASKS")
    void theCheckerFindsNothingWrong(Task task) {
        assertThat(EnvironmentChecker.check(task)).as(task.id()).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("TASKS")
    void onlyTheCheetahLastsUntilTheTimeLimitByItself(Task task) {
        boolean cheetah = task.id().startsWith("HalfCheetah");
        for (Episode episode : sample(task, 2, 8, -1)) {
            assertThat(episode.ending()).isEqualTo(cheetah ? Ending.TRUNCATED : Ending.TERMINATED);
            assertThat(episode.length() == 1000).isEqualTo(cheetah);
        }
    }

    @ParameterizedTest
    @FieldSource("TASKS")
    void rewardsAreThoseOfTheEpisodeWhicheverSimulatorIsAsked(Task task) {
        List<Episode> episodes = sample(task, 2, 3, -1);
        try (EnvironmentReward one = new EnvironmentReward(task);
                EnvironmentReward two = new EnvironmentReward(task)) {
            List<Rewards> all = one.evaluate(episodes);
            for (int i = 0; i < episodes.size(); i++) {
                Rewards alone = two.evaluate(List.of(episodes.get(i))).getFirst();
                assertThat(alone.values()).isEqualTo(all.get(i).values());
                assertThat(alone.values()).hasSize(episodes.get(i).length());
            }
        }
    }
}
