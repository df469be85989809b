package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.episode.Steps;
import dev.pgkq.gp.DeepKernel;
import dev.pgkq.gp.EmbeddedEpisodes;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.parallel.Workers;
import dev.pgkq.spark.Shard.Fetched;
import dev.pgkq.spark.Shard.Message;
import dev.pgkq.spark.Shard.Payload;
import dev.pgkq.spark.Shard.Summary;
import dev.pgkq.spark.SparkSource.Plan;
import dev.pgkq.spark.SparkSource.Shards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;

/** A batch whose episodes are on executors; those that the driver needs are fetched. */
final class SparkBatch implements EpisodeBatch {
    private final SparkCluster cluster;
    private final Shards shards;
    private final JavaRDD<Shard> sampled;
    private final Broadcast<Parameters> parameters;
    private final Plan plan;
    private final Workers workers;
    private final int[] lengths;
    private final Ending[] endings;
    private double[] embeddingSums = {};
    private double[] factorSums = {};
    private final Map<Integer, Episode> fetched = new HashMap<>();
    private @Nullable Steps steps;

    SparkBatch(
            SparkCluster cluster,
            Shards shards,
            JavaRDD<Shard> sampled,
            Broadcast<Parameters> parameters,
            Plan plan,
            Workers workers) {
        this.cluster = cluster;
        this.shards = shards;
        this.sampled = sampled;
        this.parameters = parameters;
        this.plan = plan;
        this.workers = workers;
        this.lengths = new int[shards.episodes()];
        this.endings = new Ending[shards.episodes()];
    }

    /** Takes what the sampling job returned to the driver. */
    void receive(List<Message> messages) {
        List<Steps> parts = new ArrayList<>();
        for (Message message : messages) {
            store(message.summary());
            if (message.steps() != null) {
                parts.add(message.steps());
            }
            if (message.episodes() != null) {
                for (Episode episode : message.episodes()) {
                    fetched.put(episode.index(), episode);
                }
            }
        }
        if (plan.payload() == Payload.STEPS) {
            steps = Steps.joined(parts);
        }
    }

    private void store(Summary summary) {
        int first = summary.first();
        int count = summary.lengths().length;
        System.arraycopy(summary.lengths(), 0, lengths, first, count);
        System.arraycopy(summary.endings(), 0, endings, first, count);
        embeddingSums = placed(summary.embeddingSums(), embeddingSums, first, count);
        factorSums = placed(summary.factorSums(), factorSums, first, count);
    }

    /**
     * Puts the values of a shard among those of the batch, which are allocated with the first.
     *
     * @param values equally many for each episode of the shard
     * @param all values of the batch so far; empty if there are none
     */
    private double[] placed(double[] values, double[] all, int first, int count) {
        if (values.length == 0) {
            return all;
        }
        int each = values.length / count;
        double[] into = all.length == 0 ? new double[size() * each] : all;
        System.arraycopy(values, 0, into, first * each, values.length);
        return into;
    }

    @Override
    public int size() {
        return shards.episodes();
    }

    @Override
    public int length(int episode) {
        return lengths[episode];
    }

    @Override
    public Ending ending(int episode) {
        return endings[episode];
    }

    @Override
    public Steps steps() {
        Steps known = steps;
        if (known == null) {
            known = isHere()
                    ? Steps.of(take(all()))
                    : Steps.joined(cluster.run(
                            "fetching steps",
                            () -> sampled.map(shard -> Objects.requireNonNull(shard.requireSuccess()
                                            .message(Payload.STEPS)
                                            .steps()))
                                    .collect()));
            steps = known;
        }
        return known;
    }

    private int[] all() {
        int[] all = new int[size()];
        Arrays.setAll(all, i -> i);
        return all;
    }

    @Override
    public List<Episode> take(int... wanted) {
        int[] missing = Arrays.stream(wanted)
                .filter(index -> !fetched.containsKey(index))
                .toArray();
        if (missing.length > 0) {
            fetch(missing);
        }
        return Arrays.stream(wanted)
                .mapToObj(index -> Objects.requireNonNull(fetched.get(index)))
                .toList();
    }

    /** Fetches episodes with a job that visits only the shards that contain them. */
    private void fetch(int[] missing) {
        Steps known = steps;
        boolean statesOnly = known != null;
        int[] partitions =
                Arrays.stream(missing).map(shards::shardOf).distinct().toArray();
        JavaRDD<Fetched[]> found = sampled.map(shard -> shard.fetch(missing, statesOnly));
        for (List<Fetched[]> partition : cluster.run("fetching episodes", () -> found.collectPartitions(partitions))) {
            for (Fetched each : partition.getFirst()) {
                Episode whole = each.whole();
                fetched.put(each.index(), whole != null ? whole : joined(each, Objects.requireNonNull(known)));
            }
        }
    }

    /** The episode of which the driver has the steps and was sent the states. */
    private Episode joined(Fetched states, Steps known) {
        int index = states.index();
        int from = known.start(index);
        int to = known.start(index + 1);
        int observationSize = known.size() == 0 ? 0 : known.observations().length / known.size();
        int actionSize = known.size() == 0 ? 0 : known.actions().length / known.size();
        return new Episode(
                parameters.value().iteration(),
                index,
                to - from,
                Arrays.copyOfRange(known.observations(), from * observationSize, to * observationSize),
                Arrays.copyOfRange(known.actions(), from * actionSize, to * actionSize),
                Arrays.copyOfRange(known.logProbs(), from, to),
                states.states(),
                known.cuts().observation(index),
                endings[index]);
    }

    @Override
    public boolean isHere() {
        return fetched.size() == size();
    }

    @Override
    public KernelView view(EpisodicKernel kernel) {
        if (!plan.embed()) {
            return kernel.view(steps(), workers);
        }
        long count = Arrays.stream(lengths).asLongStream().sum();
        double[] mean = EmbeddedEpisodes.mean(embeddingSums, DeepKernel.FEATURES, count);
        double[] centre = kernel.centre(factorSums);
        double bytes = kernel.gram().bytes(size(), count, kernel.credits().dimensions());
        GramJob job = new GramJob(
                cluster.blueprint(),
                mean,
                centre,
                shards.blockSize(kernel.gram().alignment(), bytes),
                size());
        GramJob.Result result = cluster.run("computing the Gram matrix", () -> job.compute(sampled));
        return kernel.view(result.gram(), lengths, result.squaredCredits(), centre);
    }

    double meanLength() {
        return Arrays.stream(lengths).average().orElse(0);
    }

    /** Frees the episodes and parameters that executors keep. */
    void release() {
        sampled.unpersist(false);
        parameters.destroy();
    }
}
