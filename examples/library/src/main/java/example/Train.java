package example;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Task;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.EnvironmentReward;
import dev.pgkq.reward.EpisodeReward;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.IterationReport;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.Trainer;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** Trains on a task and with a reward of one's own; every reward that was computed is kept in a ledger. */
final class Train {
    private static final AtomicInteger COMPUTED = new AtomicInteger();

    private Train() {}

    public static void main(String[] args) {
        Task task = new Task("Point-v0", "come to rest at 0", Point::new);
        TrainSettings settings = TrainSettings.defaults(Algorithm.named("ppo-kq-plus"), 1)
                .withBatch(32)
                .withSelect(4);
        Evaluator reward = Evaluators.of("distance", (EpisodeReward.OfSteps) Train::reward);
        RewardDesk rewards =
                RewardDesk.open(reward, task, Grain.STEP, Budget.ofEvaluations(80), Path.of("runs", "point"));
        try (Trainer trainer = new Trainer(task, settings, rewards, new EnvironmentReward(task), 2)) {
            for (int i = 0; i < 20; i++) {
                IterationReport report = trainer.iterate();
                System.out.printf("iteration %d: return %.2f%n", report.iteration(), report.returnMean());
            }
        }
        System.out.printf("%d rewards computed in this process%n", COMPUTED.get());
    }

    /** The costly part: here a function of the states, elsewhere a simulation or a service. */
    private static double[] reward(Episode episode, EnvironmentSpec spec) {
        COMPUTED.incrementAndGet();
        double[] rewards = new double[episode.length()];
        for (int t = 0; t < rewards.length; t++) {
            double after = episode.states()[t + 1];
            rewards[t] = -after * after;
        }
        return rewards;
    }
}
