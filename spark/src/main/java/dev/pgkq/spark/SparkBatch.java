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
import dev.pgkq.spark.Shard.Carried;
import dev.pgkq.spark.Shard.Parcel;
import dev.pgkq.spark.Shard.Picked;
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

/** A batch whose episodes are on executors. */
final class SparkBatch implements EpisodeBatch {
    private final SparkCluster cluster;
    private final Shards shards;
    private final JavaRDD<Shard> sampled;
    private final Broadcast<Parameters> parameters;
    private final Plan plan;
    private final Workers workers;
    private final int[] lengths;
    private final Ending[] endings;
    private double[] sums = {};
    private double[] squaredCredits = {};
    private final Map<Integer, Episode> here = new HashMap<>();
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
    void receive(List<Parcel> parcels) {
        List<Steps> parts = new ArrayList<>();
        for (Parcel parcel : parcels) {
            take(parcel.summary());
            if (parcel.steps() != null) {
                parts.add(parcel.steps());
            }
            if (parcel.episodes() != null) {
                for (Episode episode : parcel.episodes()) {
                    here.put(episode.index(), episode);
                }
            }
        }
        if (plan.carried() == Carried.STEPS) {
            steps = Steps.joined(parts);
        }
    }

    private void take(Summary summary) {
        int first = summary.first();
        int count = summary.lengths().length;
        System.arraycopy(summary.lengths(), 0, lengths, first, count);
        System.arraycopy(summary.endings(), 0, endings, first, count);
        if (summary.squaredCredits().length > 0) {
            if (sums.length == 0) {
                sums = new double[lengths.length * DeepKernel.FEATURES];
                squaredCredits = new double[lengths.length];
            }
            System.arraycopy(summary.squaredCredits(), 0, squaredCredits, first, count);
            System.arraycopy(summary.sums(), 0, sums, first * DeepKernel.FEATURES, count * DeepKernel.FEATURES);
        }
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
            known = here.size() == size()
                    ? Steps.of(take(all()))
                    : Steps.joined(cluster.run(
                            "fetching steps",
                            () -> sampled.map(shard -> Objects.requireNonNull(shard.requireFine()
                                            .parcel(Carried.STEPS)
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
        int[] missing =
                Arrays.stream(wanted).filter(index -> !here.containsKey(index)).toArray();
        if (missing.length > 0) {
            fetch(missing);
        }
        return Arrays.stream(wanted)
                .mapToObj(index -> Objects.requireNonNull(here.get(index)))
                .toList();
    }

    /** Only the shards that hold them are looked at. */
    private void fetch(int[] missing) {
        Steps known = steps;
        boolean statesOnly = known != null;
        int[] partitions = Arrays.stream(missing).map(shards::of).distinct().toArray();
        JavaRDD<Picked[]> picked = sampled.map(shard -> shard.pick(missing, statesOnly));
        for (List<Picked[]> partition : cluster.run("fetching episodes", () -> picked.collectPartitions(partitions))) {
            for (Picked each : partition.getFirst()) {
                Episode whole = each.whole();
                here.put(each.index(), whole != null ? whole : whole(each, Objects.requireNonNull(known)));
            }
        }
    }

    private Episode whole(Picked picked, Steps known) {
        int index = picked.index();
        int from = known.start(index);
        int to = known.start(index + 1);
        int ofState = known.size() == 0 ? 0 : known.observations().length / known.size();
        int ofAction = known.size() == 0 ? 0 : known.actions().length / known.size();
        return new Episode(
                parameters.value().iteration(),
                index,
                to - from,
                Arrays.copyOfRange(known.observations(), from * ofState, to * ofState),
                Arrays.copyOfRange(known.actions(), from * ofAction, to * ofAction),
                Arrays.copyOfRange(known.logProbs(), from, to),
                picked.states(),
                endings[index]);
    }

    @Override
    public boolean isHere() {
        return here.size() == size();
    }

    @Override
    public KernelView view(EpisodicKernel kernel) {
        if (!plan.embed()) {
            return kernel.view(steps(), workers);
        }
        long count = Arrays.stream(lengths).asLongStream().sum();
        double[] mean = EmbeddedEpisodes.mean(sums, DeepKernel.FEATURES, count);
        double bytes = kernel.gram().bytes(size(), count, kernel.credits().dimensions());
        GramJob job = new GramJob(
                cluster.blueprint(), mean, shards.blockSize(kernel.gram().alignment(), bytes), size());
        return kernel.view(cluster.run("Gram blocks", () -> job.on(sampled)), lengths, squaredCredits);
    }

    double meanLength() {
        return Arrays.stream(lengths).average().orElse(0);
    }

    /** Frees what executors keep of it. */
    void release() {
        sampled.unpersist(false);
        parameters.destroy();
    }
}
