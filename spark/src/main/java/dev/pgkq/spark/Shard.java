package dev.pgkq.spark;

import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.linalg.Blas;
import dev.pgkq.text.UserException;
import java.io.Serializable;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Consecutive episodes of a batch, kept on the executor that sampled them.
 *
 * @param summary what the driver always needs
 * @param episodes the episodes
 * @param embedded features and factors of the steps; null if no kernel looks at them here
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Shard(Summary summary, Episode[] episodes, @Nullable EmbeddedEpisodes embedded) implements Serializable {

    /**
     * What the driver needs to know about a shard in any case.
     *
     * @param first index of the first episode
     * @param lengths of the episodes
     * @param endings of the episodes
     * @param returns monitored returns of the episodes
     * @param embeddingSums of each episode; empty if the episodes are not embedded
     * @param factorSums of each episode: its part in the centre of the batch
     * @param host name of the executor's machine
     * @param numerics the linear algebra library there, which rounding depends on
     * @param error why sampling failed; empty if it succeeded
     */
    record Summary(
            int first,
            int[] lengths,
            Ending[] endings,
            double[] returns,
            double[] embeddingSums,
            double[] factorSums,
            String host,
            String numerics,
            String error)
            implements Serializable {

        /** Throws a {@link UserException} with the host's name if sampling failed. */
        void requireSuccess() {
            if (!error.isEmpty()) {
                throw new UserException("on " + host + ": " + error);
            }
        }
    }

    static Shard of(
            int first,
            List<Episode> episodes,
            double[] returns,
            Optional<EmbeddedEpisodes> embedded,
            Optional<EpisodicKernel> kernel) {
        int[] lengths = episodes.stream().mapToInt(Episode::length).toArray();
        Ending[] endings = episodes.stream().map(Episode::ending).toArray(Ending[]::new);
        double[] sums = {};
        double[] factorSums = {};
        if (embedded.isPresent() && kernel.isPresent()) {
            EmbeddedEpisodes steps = embedded.get();
            int features = steps.features();
            sums = new double[lengths.length * features];
            factorSums = kernel.get().factorSums(steps);
            for (int i = 0; i < lengths.length; i++) {
                System.arraycopy(steps.sum(i), 0, sums, i * features, features);
            }
        }
        Summary summary = new Summary(
                first,
                lengths,
                endings,
                returns,
                sums,
                factorSums,
                host(),
                Blas.best().description(),
                "");
        return new Shard(summary, episodes.toArray(Episode[]::new), embedded.orElse(null));
    }

    /** A shard that only says why sampling failed. It is a result, because a retry by Spark would fail in the same way. */
    static Shard failed(int first, String error) {
        Summary summary = new Summary(
                first,
                new int[0],
                new Ending[0],
                new double[0],
                new double[0],
                new double[0],
                host(),
                Blas.best().description(),
                error);
        return new Shard(summary, new Episode[0], null);
    }

    private static final String HOST = hostName();

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown host";
        }
    }

    /** The name of this machine. */
    static String host() {
        return HOST;
    }

    /** Returns this shard if it was sampled. A lost shard may have been repeated on a machine where sampling fails. */
    Shard requireSuccess() {
        summary.requireSuccess();
        return this;
    }

    /** What is sent to the driver with the summary. */
    enum Payload {
        NONE,
        STEPS,
        EPISODES
    }

    /**
     * What a shard sends to the driver.
     *
     * @param summary always
     * @param steps observations, actions and log-probabilities, if they are the payload
     * @param episodes whole episodes, if they are the payload
     */
    record Message(Summary summary, @Nullable Steps steps, Episode @Nullable [] episodes) implements Serializable {}

    Message message(Payload payload) {
        boolean sampled = summary.error.isEmpty();
        return new Message(
                summary,
                sampled && payload == Payload.STEPS ? Steps.of(Arrays.asList(episodes)) : null,
                sampled && payload == Payload.EPISODES ? episodes : null);
    }

    /**
     * Returns those of the requested episodes that are in this shard.
     *
     * @param statesOnly whether the driver has the steps already and needs only the simulator's states
     */
    Fetched[] fetch(int[] requested, boolean statesOnly) {
        requireSuccess();
        return Arrays.stream(requested)
                .filter(index -> index >= summary.first && index < summary.first + episodes.length)
                .mapToObj(index -> {
                    Episode episode = episodes[index - summary.first];
                    return statesOnly
                            ? new Fetched(index, episode.states(), null)
                            : new Fetched(index, new double[0], episode);
                })
                .toArray(Fetched[]::new);
    }

    /** The states of an episode, or the whole episode. */
    record Fetched(int index, double[] states, @Nullable Episode whole) implements Serializable {}
}
