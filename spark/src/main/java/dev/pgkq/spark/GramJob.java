package dev.pgkq.spark;

import dev.pgkq.gp.EpisodicGram.Part;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.Partitioner;
import org.apache.spark.api.java.JavaPairRDD;
import org.apache.spark.api.java.JavaRDD;
import scala.Tuple2;

/**
 * The Gram matrix in blocks. The batch is cut into blocks of episodes; a task has a pair of blocks I ≤ J, whose shards are
 * sent to it by the executors that hold them, and answers with the entries between the two.
 *
 * @param blueprint of the run
 * @param mean of all embeddings
 * @param blockSize episodes of a block
 * @param episodes of the batch
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record GramJob(Blueprint blueprint, double[] mean, int blockSize, int episodes) implements Serializable {
    private record Labelled(int first, Part part) implements Serializable {}

    private record Block(int pair, double[] values) implements Serializable {}

    private int blocks() {
        return Math.ceilDiv(episodes, blockSize);
    }

    private int pairs() {
        return blocks() * (blocks() + 1) / 2;
    }

    /** Pairs are numbered along the rows of a triangle: J is the row. */
    private static int pair(int i, int j) {
        return j * (j + 1) / 2 + i;
    }

    private static int row(int pair) {
        return (int) ((Math.sqrt(8.0 * pair + 1) - 1) / 2);
    }

    /** K, N × N row by row. */
    double[] on(JavaRDD<Shard> shards) {
        JavaPairRDD<Integer, Labelled> parts =
                shards.flatMapToPair(this::copies).partitionBy(new ByPair(pairs()));
        List<Block> found;
        try {
            found = parts.mapPartitions(this::block).collect();
        } finally {
            // otherwise the files stay until the driver's collector comes by
            parts.rdd().cleanShuffleDependencies(false);
        }
        double[] gram = new double[Math.multiplyExact(episodes, episodes)];
        for (Block block : found) {
            int j = row(block.pair);
            int i = block.pair - pair(0, j);
            put(block.values, i * blockSize, j * blockSize, gram);
        }
        return gram;
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

    /** A shard, once for each pair that its block is in. */
    private Iterator<Tuple2<Integer, Labelled>> copies(Shard shard) {
        int first = shard.summary().first();
        Labelled part = new Labelled(
                first,
                ExecutorWorkspace.with(
                        blueprint, bench -> bench.part(shard.requireFine().embedded(), mean)));
        int own = first / blockSize;
        List<Tuple2<Integer, Labelled>> copies = new ArrayList<>();
        for (int other = 0; other < blocks(); other++) {
            copies.add(new Tuple2<>(pair(Math.min(own, other), Math.max(own, other)), part));
        }
        return copies.iterator();
    }

    private Iterator<Block> block(Iterator<Tuple2<Integer, Labelled>> received) {
        List<Labelled> parts = new ArrayList<>();
        int pair = -1;
        while (received.hasNext()) {
            Tuple2<Integer, Labelled> each = received.next();
            pair = each._1();
            parts.add(each._2());
        }
        int j = row(pair);
        int i = pair - pair(0, j);
        parts.sort(Comparator.comparingInt(Labelled::first));
        Part rows = joined(parts, i);
        Part columns = i == j ? rows : joined(parts, j);
        return List.of(new Block(pair, ExecutorWorkspace.with(blueprint, bench -> bench.block(rows, columns))))
                .iterator();
    }

    private Part joined(List<Labelled> sorted, int block) {
        List<Part> own = sorted.stream()
                .filter(each -> each.first / blockSize == block)
                .map(Labelled::part)
                .toList();
        return own.size() == 1 ? own.getFirst() : own.getFirst().and(own.subList(1, own.size()));
    }

    /** A pair is a partition. */
    private static final class ByPair extends Partitioner {
        private static final long serialVersionUID = 1L;
        private final int pairs;

        ByPair(int pairs) {
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
            return other instanceof ByPair same && same.pairs == pairs;
        }

        @Override
        public int hashCode() {
            return pairs;
        }
    }
}
