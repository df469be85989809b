package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.MonitoredReturns;
import dev.pgkq.batch.Sampled;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.spark.Shard.Carried;
import dev.pgkq.spark.Shard.Parcel;
import dev.pgkq.spark.Shard.Summary;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;

/**
 * Samples on executors. The parameters are broadcast, each task samples the episodes of a shard and keeps them where it ran,
 * and comes back with what the driver needs. A shard that is lost with its executor is sampled again, to the same bits.
 *
 * <p>A job takes a tenth of a second, whatever it does. So a batch that is small, and whose Gram matrix is quickly had, comes
 * to the driver whole with the job that samples it, and needs no other; and where the driver has the steps of all episodes
 * anyway, it computes a matrix itself that is quickly had.
 */
final class SparkSource implements EpisodeSource {
    /** Tasks for each core: enough that long episodes in one shard do not keep all others waiting. */
    private static final int SHARDS_PER_CORE = 4;
    /** More would only make the last ones longer. */
    private static final int LARGEST_SHARD = 64;
    /** Bytes of a block of episodes; a task has two, as they came and joined. */
    private static final double LARGEST_BLOCK = 96e6;
    /** What a Gram matrix takes on executors on top of its computation. */
    private static final double JOB_SECONDS = 0.25;
    /** What it may take here at most, whatever executors would: the driver has other things in its memory. */
    private static final double LONGEST_SECONDS = 2;

    private final SparkCluster cluster;
    private final Optional<EpisodicKernel> kernel;
    private final Workers workers;
    private final EnvironmentSpec spec;
    private @Nullable SparkBatch last;

    SparkSource(SparkCluster cluster, Optional<EpisodicKernel> kernel, Workers workers) {
        this.cluster = cluster;
        this.kernel = kernel;
        this.workers = workers;
        this.spec = cluster.task().spec();
    }

    @Override
    public Sampled sample(GaussianPolicy policy, int iteration, int count) {
        return cluster.run("sampling", () -> sampled(policy, iteration, count));
    }

    private Sampled sampled(GaussianPolicy policy, int iteration, int count) {
        Plan plan = plan(count);
        release();
        Parameters parameters = new Parameters(
                iteration,
                policy.parameters().clone(),
                kernel.map(k -> k.steps().parameters().clone()).orElse(new float[0]));
        Broadcast<Parameters> sent = cluster.context().broadcast(parameters);
        Shards shards = new Shards(count, shardSize(count), cluster.cores());
        JavaRDD<Shard> sampled = cluster.context()
                .parallelize(shards.firsts(), shards.count())
                .map(new Sampling(cluster.blueprint(), sent, shards.size(), count, plan.embed));
        if (plan.carried != Carried.EPISODES) {
            sampled = sampled.persist(StorageLevel.MEMORY_AND_DISK());
        }
        SparkBatch batch = new SparkBatch(cluster, shards, sampled, sent, plan, workers);
        last = batch;
        Carried carried = plan.carried;
        List<Parcel> parcels = sampled.map(shard -> shard.parcel(carried)).collect();
        List<Summary> summaries = parcels.stream().map(Parcel::summary).toList();
        cluster.check(summaries);
        batch.receive(parcels);
        return new Sampled(batch, monitored(summaries));
    }

    /** Returns what the executors evaluated, in the order of the shards. */
    private static MonitoredReturns monitored(List<Summary> summaries) {
        double[] returns = summaries.stream()
                .flatMapToDouble(summary -> Arrays.stream(summary.returns()))
                .toArray();
        return returns::clone;
    }

    /**
     * @param carried what comes to the driver with the job that samples
     * @param embed whether executors look at the episodes as the kernel does, and compute the Gram matrix
     */
    record Plan(Carried carried, boolean embed) {}

    /** By the lengths of the batch before, or the largest there can be. */
    private Plan plan(int count) {
        double steps = (double) count * (last == null ? spec.maxSteps() : last.meanLength());
        double ofStep = 4.0 * (spec.observationSize() + spec.actionSize() + 1) + 8.0 * spec.stateSize();
        double gram = kernel.map(k -> k.gram().seconds(count, steps, k.credits().dimensions()))
                .orElse(0.0);
        boolean quick = gram / workers.count() <= Math.min(LONGEST_SECONDS, JOB_SECONDS + gram / cluster.cores());
        long small = cluster.smallBatch();
        Carried least = cluster.carried();
        if (steps * ofStep <= small && quick) {
            return new Plan(Carried.EPISODES, false);
        }
        return new Plan(least, kernel.isPresent() && !(quick && small > 0 && least == Carried.STEPS));
    }

    /** A power of two, so that shards fill blocks of the Gram matrix whatever their number. */
    private int shardSize(int count) {
        int size = 1;
        while (size < LARGEST_SHARD && 2 * size * cluster.cores() * SHARDS_PER_CORE <= count) {
            size *= 2;
        }
        return size;
    }

    private void release() {
        if (last != null) {
            last.release();
            last = null;
        }
    }

    /** What executors keep goes with them. */
    @Override
    public void close() {
        last = null;
    }

    /** How a batch is cut: into shards, of which blocks of the Gram matrix are made. */
    record Shards(int episodes, int size, int cores) {
        int count() {
            return Math.ceilDiv(episodes, size);
        }

        List<Integer> firsts() {
            List<Integer> firsts = new ArrayList<>();
            for (int first = 0; first < episodes; first += size) {
                firsts.add(first);
            }
            return firsts;
        }

        /** In which an episode is. */
        int of(int episode) {
            return episode / size;
        }

        /**
         * Episodes of a block: whole shards, from a multiple of the alignment on. g blocks make g (g + 1) / 2 pairs and send
         * every episode to g of them; 2 √cores is about two pairs for each core. More blocks where one would be too large for an
         * executor's memory.
         *
         * @param bytes that the whole batch takes where it is put against itself
         */
        int blockSize(int alignment, double bytes) {
            int blocks = (int) Math.ceil(Math.max(2 * Math.sqrt(cores), bytes / LARGEST_BLOCK));
            int least = Math.ceilDiv(episodes, Math.min(blocks, episodes));
            int unit = Math.max(size, alignment);
            return Math.ceilDiv(least, unit) * unit;
        }
    }

    /** The task of a shard. */
    private record Sampling(Blueprint blueprint, Broadcast<Parameters> parameters, int size, int count, boolean embed)
            implements Function<Integer, Shard> {
        @Override
        public Shard call(Integer first) {
            try {
                return ExecutorWorkspace.with(
                        blueprint,
                        bench -> bench.sample(parameters.value(), first, Math.min(size, count - first), embed));
            } catch (UserException e) {
                return Shard.failed(first, String.valueOf(e.getMessage()));
            }
        }
    }
}
