package dev.pgkq.app.cluster;

import dev.pgkq.app.config.ClusterSettings;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.text.UserException;
import java.util.ServiceLoader;
import java.util.function.Consumer;

/** Connects to clusters of a kind; found with {@link ServiceLoader}. */
public interface ClusterProvider {
    /**
     * @param config what the run is
     * @param name what the run is called there
     * @param tell is told what people should know, such as a worker that is gone
     * @throws UserException if there is no such cluster, or none that does anything
     */
    Cluster connect(ClusterSettings settings, RunConfig config, String name, Consumer<String> tell);

    /** The one on the class path. */
    static ClusterProvider find() {
        return ServiceLoader.load(ClusterProvider.class)
                .findFirst()
                .orElseThrow(() -> new UserException(
                        "--cluster needs Spark and pgkq's part for it, and they are not on the class path: start with"
                                + " ./pgkq, which brings them, or with spark-submit and the jar of the module spark"));
    }
}
