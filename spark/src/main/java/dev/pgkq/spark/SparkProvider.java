package dev.pgkq.spark;

import dev.pgkq.app.cluster.Cluster;
import dev.pgkq.app.cluster.ClusterProvider;
import dev.pgkq.app.config.ClusterSettings;
import dev.pgkq.app.config.RunConfig;
import java.util.function.Consumer;

/** Found by the application where this module is on the class path. */
public final class SparkProvider implements ClusterProvider {
    @Override
    public Cluster connect(ClusterSettings settings, RunConfig config, String name, Consumer<String> tell) {
        return SparkCluster.connect(settings, config, name, tell);
    }
}
