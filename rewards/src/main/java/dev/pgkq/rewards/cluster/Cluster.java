package dev.pgkq.rewards.cluster;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;

/** Machines that do, of an iteration of one run, what grows with the number of episodes. */
public interface Cluster extends AutoCloseable {
    /** For people: what it is and how large. */
    String description();

    /** How many things it does at once. */
    int cores();

    /** Where the run's episodes are sampled, and compared. */
    EpisodeSource.Opener source();

    /**
     * Asks for rewards from there.
     *
     * @param spec exec:… or java:…
     */
    Evaluator evaluator(String spec, EvaluatorSettings settings);

    /** What it has moved. */
    Traffic traffic();

    /** Gives up what is under way; those who wait for it fail. */
    void cancel();

    @Override
    void close();
}
