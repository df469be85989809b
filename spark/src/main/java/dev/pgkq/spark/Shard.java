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
 * Episodes of a batch that follow each other, where they were sampled.
 *
 * @param summary what the driver needs to know of them in any case
 * @param episodes the episodes
 * @param embedded as the kernel sees them; null where there is none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Shard(Summary summary, Episode[] episodes, @Nullable EmbeddedEpisodes embedded) implements Serializable {

    /**
     * @param first number of the first episode
     * @param lengths of the episodes
     * @param endings of the episodes
     * @param returns that are watched
     * @param sums of the embeddings of each episode
     * @param squaredCredits of each episode
     * @param host where they are
     * @param numerics what rounding depends on there
     * @param trouble why there are none; empty if there are
     */
    record Summary(
            int first,
            int[] lengths,
            Ending[] endings,
            double[] returns,
            double[] sums,
            double[] squaredCredits,
            String host,
            String numerics,
            String trouble)
            implements Serializable {

        /** What is missing somewhere is somebody's to mend. */
        void requireFine() {
            if (!trouble.isEmpty()) {
                throw new UserException("on " + host + ": " + trouble);
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
        double[] squares = {};
        if (embedded.isPresent() && kernel.isPresent()) {
            EmbeddedEpisodes steps = embedded.get();
            int features = steps.features();
            sums = new double[lengths.length * features];
            squares = new double[lengths.length];
            for (int i = 0; i < lengths.length; i++) {
                System.arraycopy(steps.sum(i), 0, sums, i * features, features);
                squares[i] = kernel.get().squaredCredits(steps, i);
            }
        }
        Summary summary = new Summary(
                first,
                lengths,
                endings,
                returns,
                sums,
                squares,
                host(),
                Blas.best().description(),
                "");
        return new Shard(summary, episodes.toArray(Episode[]::new), embedded.orElse(null));
    }

    /** Instead of episodes, why there are none: what a person has to mend is no reason for Spark to try again. */
    static Shard failed(int first, String trouble) {
        Summary summary = new Summary(
                first,
                new int[0],
                new Ending[0],
                new double[0],
                new double[0],
                new double[0],
                host(),
                Blas.best().description(),
                trouble);
        return new Shard(summary, new Episode[0], null);
    }

    private static final String HOST = hostName();

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "an unnamed host";
        }
    }

    static String host() {
        return HOST;
    }

    /** This one, if there is something in it: a shard that was lost may have come to a machine that lacks something. */
    Shard requireFine() {
        summary.requireFine();
        return this;
    }

    /** What of the episodes is sent along with the summary. */
    enum Carried {
        NOTHING,
        STEPS,
        EPISODES
    }

    /**
     * @param summary in any case
     * @param steps what the policy saw and did, if that is wanted
     * @param episodes the whole, if that is
     */
    record Parcel(Summary summary, @Nullable Steps steps, Episode @Nullable [] episodes) implements Serializable {}

    Parcel parcel(Carried carried) {
        boolean fine = summary.trouble.isEmpty();
        return new Parcel(
                summary,
                fine && carried == Carried.STEPS ? Steps.of(Arrays.asList(episodes)) : null,
                fine && carried == Carried.EPISODES ? episodes : null);
    }

    /**
     * Those of the episodes that are wanted.
     *
     * @param known whether what the policy saw and did is there already: then the simulator's states suffice
     */
    Picked[] pick(int[] wanted, boolean known) {
        requireFine();
        return Arrays.stream(wanted)
                .filter(index -> index >= summary.first && index < summary.first + episodes.length)
                .mapToObj(index -> {
                    Episode episode = episodes[index - summary.first];
                    return known
                            ? new Picked(index, episode.states(), null)
                            : new Picked(index, new double[0], episode);
                })
                .toArray(Picked[]::new);
    }

    /** States of an episode, or all of it. */
    record Picked(int index, double[] states, @Nullable Episode whole) implements Serializable {}
}
