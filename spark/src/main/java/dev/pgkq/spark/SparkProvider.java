package dev.pgkq.spark;

import dev.pgkq.env.Task;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.cluster.ClusterProvider;
import dev.pgkq.rewards.cluster.ClusterSettings;
import dev.pgkq.train.TrainSettings;
import java.util.function.Consumer;

/** Connects to Spark clusters. The application finds it as a service if this module is on the class path. */
public final class SparkProvider implements ClusterProvider {
    @Override
    public Cluster connect(
            ClusterSettings settings,
            Task task,
            TrainSettings train,
            TaskReward monitored,
            String name,
            Consumer<String> warn) {
        return SparkCluster.connect(settings, new Blueprint(task.id(), train, monitored), name, warn);
    }
}
