package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeBatch;
import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
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
 */
final class SparkSource implements EpisodeSource {
    /** Tasks for each core: enough that long episodes in one shard do not keep all others waiting. */
    private static final int SHARDS_PER_CORE = 4;
    /** More would only make the last ones longer. */
    private static final int LARGEST_SHARD = 64;

    private final SparkCluster cluster;
    private final Optional<EpisodicKernel> kernel;
    private @Nullable SparkBatch last;

    SparkSource(SparkCluster cluster, Optional<EpisodicKernel> kernel) {
        this.cluster = cluster;
        this.kernel = kernel;
    }

    @Override
    public EpisodeBatch sample(GaussianPolicy policy, int iteration, int count) {
        release();
        Parameters parameters = new Parameters(
                iteration,
                policy.parameters().clone(),
                kernel.map(k -> k.steps().parameters().clone()).orElse(new float[0]));
        Broadcast<Parameters> sent = cluster.context().broadcast(parameters);
        Shards shards = new Shards(count, shardSize(count), cluster.cores());
        JavaRDD<Shard> sampled = cluster.context()
                .parallelize(shards.firsts(), shards.count())
                .map(new Sampling(cluster.blueprint(), sent, shards.size(), count))
                .persist(StorageLevel.MEMORY_AND_DISK());
        sampled.rdd().setName("episodes of iteration " + iteration);
        SparkBatch batch = new SparkBatch(cluster, shards, sampled, sent, cluster.carried());
        last = batch;
        return batch.begun();
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
         * every episode to g of them; 2 √cores is about two pairs for each core.
         */
        int blockSize(int alignment) {
            int blocks = (int) Math.ceil(2 * Math.sqrt(cores));
            int least = Math.ceilDiv(episodes, blocks);
            int unit = Math.max(size, alignment);
            return Math.ceilDiv(least, unit) * unit;
        }
    }

    /** The task of a shard. */
    private record Sampling(Blueprint blueprint, Broadcast<Parameters> parameters, int size, int count)
            implements Function<Integer, Shard> {
        @Override
        public Shard call(Integer first) {
            try {
                return Bench.with(
                        blueprint, bench -> bench.sample(parameters.value(), first, Math.min(size, count - first)));
            } catch (UserException e) {
                return Shard.failed(first, String.valueOf(e.getMessage()));
            }
        }
    }
}
