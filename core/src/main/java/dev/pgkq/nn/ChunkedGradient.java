package dev.pgkq.nn;

import dev.pgkq.linalg.Elementwise;
import dev.pgkq.parallel.Workers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

/**
 * Sums a gradient over samples. The samples are cut into chunks of fixed size, which are computed in parallel and added
 * in their order. The bits of the result do not depend on the number of workers.
 *
 * @param <W> the workspace a worker needs for one chunk
 */
public final class ChunkedGradient<W> {
    /**
     * The most rows of a chunk: enough for fast products, few enough for several chunks in a minibatch and for the
     * cache.
     */
    public static final int CHUNK_ROWS = 512;

    private final Workers workers;
    private final List<W> workspaces = new ArrayList<>();
    private final List<float[]> partial = new ArrayList<>();
    private final int parameterCount;
    private final Elementwise loops = Elementwise.best();

    /**
     * Creates the workspaces.
     *
     * @param workers compute the chunks
     * @param parameterCount size of the gradient
     * @param workspace makes the workspace of a worker
     */
    public ChunkedGradient(Workers workers, int parameterCount, Supplier<W> workspace) {
        this.workers = workers;
        this.parameterCount = parameterCount;
        for (int w = 0; w < workers.count(); w++) {
            workspaces.add(workspace.get());
        }
    }

    /**
     * Computes the gradient of a chunk.
     *
     * @param <W> its workspace
     */
    @FunctionalInterface
    public interface Chunk<W> {
        /**
         * Adds the gradient and the sums of the samples {@code order[from … to)}.
         *
         * @param workspace of the worker
         * @param order indices of samples
         * @param from the first of the chunk
         * @param to after the last of the chunk
         * @param into the gradient is added to it
         * @param sums the loss, and any other sums, are added to it
         */
        void accumulate(W workspace, int[] order, int from, int to, float[] into, double[] sums);
    }

    /**
     * Sums gradient and statistics over the samples {@code order[from … to)}.
     *
     * @param order indices of samples
     * @param from the first
     * @param to after the last
     * @param statistics number of sums beside the gradient
     * @param chunk computes a part
     * @param gradient set to the sum of the gradients
     * @return the other sums
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

    /**
     * Computes the sums of a chunk, without a gradient.
     *
     * @param <W> its workspace
     */
    @FunctionalInterface
    public interface Count<W> {
        /**
         * Adds the sums of the samples {@code order[from … to)}.
         *
         * @param workspace of the worker
         * @param order indices of samples
         * @param from the first of the chunk
         * @param to after the last of the chunk
         * @param sums are added to
         */
        void accumulate(W workspace, int[] order, int from, int to, double[] sums);
    }

    /**
     * Sums statistics over the samples 0 … samples − 1, without a gradient.
     *
     * @param samples how many there are
     * @param statistics number of sums
     * @param count computes a part
     * @return the sums
     */
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
