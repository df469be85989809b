package dev.pgkq.rewards.cluster;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;

/** Machines that do the parts of an iteration whose cost grows with the number of episodes, for one run. */
public interface Cluster extends AutoCloseable {
    /** A description for the user: kind and size. */
    String description();

    /** Number of tasks that run concurrently. */
    int cores();

    /** Samples and compares the run's episodes. */
    EpisodeSource.Opener source();

    /**
     * Opens an evaluator that runs on the cluster.
     *
     * @param spec specification of the evaluator, which must satisfy
     *     {@link dev.pgkq.rewards.oracle.Evaluators#runsAnywhere}
     */
    Evaluator evaluator(String spec, EvaluatorSettings settings);

    /** Bytes transferred so far. */
    Traffic traffic();

    /** Cancels everything under way; threads that wait for it fail. */
    void cancel();

    /** Disconnects from the cluster. */
    @Override
    void close();
}
