package dev.pgkq.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Episode;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.RewardOracle;
import dev.pgkq.reward.RewardSource;
import dev.pgkq.reward.Rewards;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class TrainerStartTest {
    private static final Task PENDULUM = Tasks.named("Pendulum-v1");
    private static final TrainSettings SETTINGS = TrainSettings.defaults(Algorithm.named("ppo-kq"), 1);

    /** Rewards and monitors that count how often they are closed. */
    private static final class Closings implements RewardSource, RewardOracle {
        private int count;

        @Override
        public List<Answer> request(List<Episode> episodes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public List<Rewards> evaluate(List<Episode> episodes) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            count++;
        }
    }

    @Test
    void aTrainerThatCannotStartClosesWhatItWasGiven() {
        Task broken = new Task("Broken-v0", "cannot be opened", () -> {
            throw new IllegalStateException("no simulator");
        });
        Closings rewards = new Closings();
        Closings monitor = new Closings();
        assertThatThrownBy(() -> new Trainer(broken, SETTINGS, rewards, monitor, 1))
                .hasStackTraceContaining("no simulator");
        assertThatThrownBy(() -> new Trainer(PENDULUM, SETTINGS, rewards, monitor, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(rewards.count).isEqualTo(2);
        assertThat(monitor.count).isEqualTo(2);
    }

    @Test
    void aTrainerWhoseSourceCannotBeOpenedClosesWorkersAndRewards() {
        Closings rewards = new Closings();
        Workers workers = new Workers(2);
        assertThatThrownBy(() -> new Trainer(
                        PENDULUM,
                        SETTINGS,
                        rewards,
                        (kernel, own) -> {
                            throw new IllegalStateException("no cluster");
                        },
                        workers))
                .hasMessage("no cluster");
        assertThat(rewards.count).isEqualTo(1);
        assertThatThrownBy(() -> workers.run(2, (worker, task) -> {})).isInstanceOf(RejectedExecutionException.class);
    }
}
