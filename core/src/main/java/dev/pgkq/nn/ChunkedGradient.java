package dev.pgkq.nn;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sums a gradient over samples: cut into chunks of fixed size, computed in parallel, added up in the order
 * of the chunks. The result is the same, bit for bit, for any number of workers.
 *
 * @param <W> the workspace a worker needs for one chunk
 */
public final class ChunkedGradient<W> {
    /** Rows a chunk has at most: enough for fast products, few enough to share a minibatch out and to stay in cache. */
    public static final int CHUNK_ROWS = 512;

    private final Workers workers;
    private final List<W> workspaces = new ArrayList<>();
    private final List<float[]> partial = new ArrayList<>();
    private final int parameterCount;
    private final Elementwise loops = Elementwise.best();

    public ChunkedGradient(Workers workers, int parameterCount, Supplier<W> workspace) {
        this.workers = workers;
        this.parameterCount = parameterCount;
        for (int w = 0; w < workers.count(); w++) {
            workspaces.add(workspace.get());
        }
    }

    /**
     * Adds to {@code into} the gradient, and to {@code sums} the loss and whatever else is added up, of the samples
     * {@code order[from … to)}.
     */
    @FunctionalInterface
    public interface Chunk<W> {
        void accumulate(W workspace, int[] order, int from, int to, float[] into, double[] sums);
    }

    /**
     * Sets {@code gradient} to the sum over the samples {@code order[from … to)} and returns the {@code statistics} other
     * sums.
     */
    public double[] sum(int[] order, int from, int to, int statistics, Chunk<W> chunk, float[] gradient) {
        int chunks = Math.ceilDiv(to - from, CHUNK_ROWS);
        Arrays.fill(gradient, 0f);
        if (chunks == 1) {
            double[] sums = new double[statistics];
            chunk.accumulate(workspaces.getFirst(), order, from, to, gradient, sums);
            return sums;
        }
        while (partial.size() < chunks) {
            partial.add(new float[parameterCount]);
        }
        double[][] partialSums = new double[chunks][statistics];
        workers.run(chunks, (worker, c) -> {
            float[] part = partial.get(c);
            Arrays.fill(part, 0f);
            int start = from + c * CHUNK_ROWS;
            int end = Math.min(to, start + CHUNK_ROWS);
            chunk.accumulate(workspaces.get(worker), order, start, end, part, partialSums[c]);
        });
        for (int c = 0; c < chunks; c++) {
            loops.add(gradient, partial.get(c), parameterCount);
        }
        return total(partialSums, statistics);
    }

    /** Adds what is counted over the samples {@code order[from … to)} to {@code sums}. */
    @FunctionalInterface
    public interface Count<W> {
        void accumulate(W workspace, int[] order, int from, int to, double[] sums);
    }

    /** The {@code statistics} sums over all samples 0 … {@code samples} − 1, without a gradient. */
    public double[] statistics(int samples, int statistics, Count<W> count) {
        int[] order = new int[samples];
        Arrays.setAll(order, i -> i);
        int chunks = Math.ceilDiv(samples, CHUNK_ROWS);
        double[][] partialSums = new double[chunks][statistics];
        workers.run(chunks, (worker, c) -> {
            int from = c * CHUNK_ROWS;
            int to = Math.min(samples, from + CHUNK_ROWS);
            count.accumulate(workspaces.get(worker), order, from, to, partialSums[c]);
        });
        return total(partialSums, statistics);
    }

    private static double[] total(double[][] partialSums, int statistics) {
        double[] sums = new double[statistics];
        for (double[] part : partialSums) {
            for (int i = 0; i < statistics; i++) {
                sums[i] += part[i];
            }
        }
        return sums;
    }
}
