package dev.pgkq.spark;

import dev.pgkq.batch.EpisodeSource;
import dev.pgkq.batch.MonitoredReturns;
import dev.pgkq.batch.Sampled;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.kernel.EpisodicKernel;
import dev.pgkq.parallel.Workers;
import dev.pgkq.policy.Policy;
import dev.pgkq.spark.Shard.Message;
import dev.pgkq.spark.Shard.Payload;
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
 * Samples on executors. The parameters are broadcast; each task samples the episodes of a shard, keeps them on its executor,
 * and returns what the driver needs. A shard that is lost with its executor is sampled again, to the same bits.
 *
 * <p>A job takes at least a tenth of a second. Therefore a small batch whose Gram matrix is cheap is sent to the driver whole
 * by the job that samples it, and needs no further job. If the driver has the steps of all episodes anyway, it computes a
 * cheap Gram matrix itself.
 */
final class SparkSource implements EpisodeSource {
    /** Tasks per core: enough that a shard of long episodes does not delay all others. */
    private static final int SHARDS_PER_CORE = 4;
    /** Largest number of episodes in a shard; larger shards would only delay the end of the job. */
    private static final int LARGEST_SHARD = 64;
    /** Largest size of a block of episodes, in bytes; a task holds two blocks, each as received and joined. */
    private static final double LARGEST_BLOCK = 96e6;
    /** Overhead of a Gram matrix on executors, in seconds. */
    private static final double JOB_SECONDS = 0.25;
    /** Longest computation of a Gram matrix on the driver, in seconds, whatever executors would need. */
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
    public Sampled sample(Policy policy, int iteration, int count) {
        return cluster.run("sampling", () -> sampleOnExecutors(policy, iteration, count));
    }

    private Sampled sampleOnExecutors(Policy policy, int iteration, int count) {
        Plan plan = plan(count);
        release();
        Parameters parameters = new Parameters(
                iteration,
                policy.parameters().clone(),
                policy.inputScale().values(),
                kernel.map(k -> k.steps().parameters().clone()).orElse(new float[0]));
        Broadcast<Parameters> sent = cluster.context().broadcast(parameters);
        Shards shards = new Shards(count, shardSize(count), cluster.cores());
        JavaRDD<Shard> sampled = cluster.context()
                .parallelize(shards.firsts(), shards.count())
                .map(new Sampling(cluster.blueprint(), sent, shards.size(), count, plan.embed));
        if (plan.payload != Payload.EPISODES) {
            sampled = sampled.persist(StorageLevel.MEMORY_AND_DISK());
        }
        SparkBatch batch = new SparkBatch(cluster, shards, sampled, sent, plan, workers);
        last = batch;
        Payload payload = plan.payload();
        List<Message> messages = sampled.map(shard -> shard.message(payload)).collect();
        List<Summary> summaries = messages.stream().map(Message::summary).toList();
        cluster.check(summaries);
        batch.receive(messages);
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
     * How a batch is divided between executors and driver.
     *
     * @param payload what the sampling job sends to the driver
     * @param embed whether executors embed the episodes and compute the Gram matrix
     */
    record Plan(Payload payload, boolean embed) {}

    /** Plans with the mean length of the batch before, or for the first batch with the largest possible length. */
    private Plan plan(int count) {
        double steps = (double) count * (last == null ? spec.maxSteps() : last.meanLength());
        double bytesPerStep = 4.0 * (spec.observationSize() + spec.encodedActionSize() + 1) + 8.0 * spec.stateSize();
        double gram = kernel.map(k -> k.gram().seconds(count, steps, k.credits().dimensions()))
                .orElse(0.0);
        boolean cheap = gram / workers.count() <= Math.min(LONGEST_SECONDS, JOB_SECONDS + gram / cluster.cores());
        long small = cluster.smallBatch();
        Payload least = cluster.payload();
        if (steps * bytesPerStep <= small && cheap) {
            return new Plan(Payload.EPISODES, false);
        }
        return new Plan(least, kernel.isPresent() && !(cheap && small > 0 && least == Payload.STEPS));
    }

    /** A power of two, so that whole shards fill the blocks of the Gram matrix. */
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

    /** Forgets the last batch. What executors keep of it ends with them. */
    @Override
    public void close() {
        last = null;
    }

    /** The division of a batch into shards, and of shards into blocks of the Gram matrix. */
    record Shards(int episodes, int size, int cores) {
        int count() {
            return Math.ceilDiv(episodes, size);
        }

        /** The index of the first episode of each shard. */
        List<Integer> firsts() {
            List<Integer> firsts = new ArrayList<>();
            for (int first = 0; first < episodes; first += size) {
                firsts.add(first);
            }
            return firsts;
        }

        /** The index of the shard that contains an episode. */
        int shardOf(int episode) {
            return episode / size;
        }

        /**
         * The number of episodes in a block: whole shards, and a multiple of the alignment. g blocks make g (g + 1) / 2 pairs
         * and send every episode to g of them; g = 2 √cores gives about two pairs per core. There are more blocks if one would
         * be too large for an executor's memory.
         *
         * @param bytes size of the whole batch in the form from which the matrix is computed
         */
        int blockSize(int alignment, double bytes) {
            int blocks = (int) Math.ceil(Math.max(2 * Math.sqrt(cores), bytes / LARGEST_BLOCK));
            int least = Math.ceilDiv(episodes, Math.min(blocks, episodes));
            int unit = Math.max(size, alignment);
            return Math.ceilDiv(least, unit) * unit;
        }
    }

    /** The task that samples a shard. */
    private record Sampling(Blueprint blueprint, Broadcast<Parameters> parameters, int size, int count, boolean embed)
            implements Function<Integer, Shard> {
        @Override
        public Shard call(Integer first) {
            try {
                return ExecutorWorkspace.with(
                        blueprint,
                        workspace -> workspace.sample(parameters.value(), first, Math.min(size, count - first), embed));
            } catch (UserException e) {
                return Shard.failed(first, String.valueOf(e.getMessage()));
            }
        }
    }
}
