package dev.pgkq.rewards.cluster;

import dev.pgkq.env.Task;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.train.TrainSettings;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** Connects to clusters; implementations are found with {@link ServiceLoader}. */
public interface ClusterProvider {
    /**
     * Connects to a cluster.
     *
     * @param task the task whose episodes are sampled
     * @param train settings of the trainer
     * @param monitored the reward whose mean over all episodes is reported
     * @param name name of the run on the cluster
     * @param notices receives messages for the user, such as the loss of a worker
     * @throws ClusterException if there is no such cluster, or it does not respond
     */
    Cluster connect(
            ClusterSettings settings,
            Task task,
            TrainSettings train,
            TaskReward monitored,
            String name,
            Consumer<String> notices);

    /**
     * The provider on the class path.
     *
     * @throws ClusterException if there is none
     */
    static ClusterProvider find() {
        return ServiceLoader.load(ClusterProvider.class)
                .findFirst()
                .orElseThrow(() -> new ClusterException(
                        ClusterException.Problem.SOFTWARE,
                        "a cluster requires Spark and the module pgkq-spark, which are not on the class path"));
    }
}
