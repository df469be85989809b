package dev.pgkq.rewards.cluster;

import dev.pgkq.env.Task;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainSettings;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** Connects to clusters of a kind; found with {@link ServiceLoader}. */
public interface ClusterProvider {
    /**
     * @param task whose episodes are sampled
     * @param train what the trainer is told
     * @param monitored the reward whose mean over all episodes is reported
     * @param name what the run is called there
     * @param tell is told what people should know, such as a worker that is gone
     * @throws UserException if there is no such cluster, or none that does anything
     */
    Cluster connect(
            ClusterSettings settings,
            Task task,
            TrainSettings train,
            TaskReward monitored,
            String name,
            Consumer<String> tell);

    /** The one on the class path. */
    static ClusterProvider find() {
        return ServiceLoader.load(ClusterProvider.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        "--cluster needs Spark and pgkq's part for it, and they are not on the class path: start with"
                                + " ./pgkq, which brings them, or with spark-submit and the jar of the module spark"));
    }
}
