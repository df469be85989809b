package dev.pgkq.spark;

import dev.pgkq.gp.EpisodicGram.Part;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * Computes the Gram matrix in blocks. Each shard's credits are computed on the executor that holds it. The batch is divided into
 * blocks of episodes. A task has a pair of blocks I ≤ J, receives their shards, and returns the entries between the two.
 *
 * @param blueprint of the run
 * @param mean of all embeddings
 * @param centre of the factors
 * @param blockSize episodes per block
 * @param episodes in the batch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GramJob(Blueprint blueprint, double[] mean, double[] centre, int blockSize, int episodes)
        implements Serializable {
    /**
     * What the job computes.
     *
     * @param gram K, N × N in row-major order
     * @param squaredCredits of each episode
     */
    record Result(double[] gram, double[] squaredCredits) {}

    /** The episodes of a shard. */
    record PlacedPart(int first, Part part, double[] squaredCredits) implements Serializable {}

    /** Entries of K; a block of episodes with themselves also has their squared credits. */
    private record Block(int pair, double[] values, double[] squaredCredits) implements Serializable {}

    private int blocks() {
        return Math.ceilDiv(episodes, blockSize);
    }

    private int pairs() {
        return blocks() * (blocks() + 1) / 2;
    }

    /** Pairs are numbered along the rows J of a triangle. */
    private static int pair(int i, int j) {
        return j * (j + 1) / 2 + i;
    }

    private static int row(int pair) {
        return (int) ((Math.sqrt(8.0 * pair + 1) - 1) / 2);
    }

    Result compute(JavaRDD<Shard> shards) {
        JavaPairRDD<Integer, PlacedPart> parts =
                shards.flatMapToPair(this::copies).partitionBy(new PairPartitioner(pairs()));
        List<Block> found;
        try {
            found = parts.mapPartitions(this::block).collect();
        } finally {
            // otherwise the files stay until the driver's garbage collector runs
            parts.rdd().cleanShuffleDependencies(false);
        }
        double[] gram = new double[Math.multiplyExact(episodes, episodes)];
        double[] squaredCredits = new double[episodes];
        for (Block block : found) {
            int j = row(block.pair);
            int i = block.pair - pair(0, j);
            put(block.values, i * blockSize, j * blockSize, gram);
            System.arraycopy(block.squaredCredits, 0, squaredCredits, i * blockSize, block.squaredCredits.length);
        }
        return new Result(gram, squaredCredits);
    }

    private void put(double[] values, int firstRow, int firstColumn, double[] gram) {
        int columns = Math.min(blockSize, episodes - firstColumn);
        for (int k = 0; k < values.length; k++) {
            int row = firstRow + k / columns;
            int column = firstColumn + k % columns;
            gram[row * episodes + column] = values[k];
            gram[column * episodes + row] = values[k];
        }
    }

    /** The shard, once for each pair that contains its block. */
    private Iterator<Tuple2<Integer, PlacedPart>> copies(Shard shard) {
        PlacedPart part =
                ExecutorWorkspace.with(blueprint, workspace -> workspace.part(shard.requireSuccess(), mean, centre));
        int own = part.first / blockSize;
        List<Tuple2<Integer, PlacedPart>> copies = new ArrayList<>();
        for (int other = 0; other < blocks(); other++) {
            copies.add(new Tuple2<>(pair(Math.min(own, other), Math.max(own, other)), part));
        }
        return copies.iterator();
    }

    private Iterator<Block> block(Iterator<Tuple2<Integer, PlacedPart>> received) {
        List<PlacedPart> parts = new ArrayList<>();
        int pair = -1;
        while (received.hasNext()) {
            Tuple2<Integer, PlacedPart> each = received.next();
            pair = each._1();
            parts.add(each._2());
        }
        int j = row(pair);
        int i = pair - pair(0, j);
        parts.sort(Comparator.comparingInt(PlacedPart::first));
        Part rows = joined(parts, i);
        Part columns = i == j ? rows : joined(parts, j);
        double[] values = ExecutorWorkspace.with(blueprint, workspace -> workspace.block(rows, columns));
        double[] squaredCredits = parts.stream()
                .filter(unused -> i == j)
                .flatMapToDouble(part -> Arrays.stream(part.squaredCredits))
                .toArray();
        return List.of(new Block(pair, values, squaredCredits)).iterator();
    }

    private Part joined(List<PlacedPart> sorted, int block) {
        List<Part> own = sorted.stream()
                .filter(each -> each.first / blockSize == block)
                .map(PlacedPart::part)
                .toList();
        return own.size() == 1 ? own.getFirst() : own.getFirst().and(own.subList(1, own.size()));
    }

    /** Makes each pair a partition. */
    private static final class PairPartitioner extends Partitioner {
        private static final long serialVersionUID = 1L;
        private final int pairs;

        PairPartitioner(int pairs) {
            this.pairs = pairs;
        }

        @Override
        public int numPartitions() {
            return pairs;
        }

        @Override
        public int getPartition(Object key) {
            return (Integer) key;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof PairPartitioner same && same.pairs == pairs;
        }

        @Override
        public int hashCode() {
            return pairs;
        }
    }
}
