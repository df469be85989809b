package dev.pgkq.gp;

/**
 * Steps laid out for {@link GramKernel}, twice: as columns u, in blocks of {@link #LANES} steps, and as rows t, in
 * groups of {@link GramKernel#ROWS}. A block or group holds, one after the other and each for all its steps,
 *
 * <pre>
 *   |x|², v_1 … v_d, x_1 … x_F     (rows: −2 x_1 … −2 x_F)
 * </pre>
 *
 * where x = (f − mean f) √(log₂ e / 20), so that the kernel of two steps is 2^−|x_t − x_u|². The mean over all steps is
 * subtracted because |x_t|² + |x_u|² − 2 ⟨x_t, x_u⟩ loses as many digits as the squares are larger than the distance.
 *
 * <p>Every episode starts a new group and a new block. Both are filled up with steps of weight 0.
 */
final class PackedSteps {
    /** Sums have this many lanes, whatever the width of the processor's vectors. */
    static final int LANES = 16;
    /** Blocks that the kernel processes at once. */
    static final int BLOCKS_AT_ONCE = 2;

    /** Larger squares could overflow in floats. */
    private static final double LARGEST_SQUARE = 1e36;

    final int features;
    final int dimensions;
    /** Floats per step. */
    final int stride;

    final float[] rows;
    final float[] columns;
    private final int[] firstGroup;
    private final int[] firstBlock;

    private PackedSteps(EmbeddedEpisodes episodes) {
        int n = episodes.count();
        features = episodes.features();
        dimensions = episodes.dimensions();
        stride = 1 + dimensions + features;
        firstGroup = new int[n + 1];
        firstBlock = new int[n + 1];
        for (int i = 0; i < n; i++) {
            int length = episodes.length(i);
            firstGroup[i + 1] = firstGroup[i] + Math.ceilDiv(length, GramKernel.ROWS);
            firstBlock[i + 1] = firstBlock[i] + BLOCKS_AT_ONCE * Math.ceilDiv(length, BLOCKS_AT_ONCE * LANES);
        }
        rows = new float[Math.multiplyExact(firstGroup[n] * GramKernel.ROWS, stride)];
        columns = new float[Math.multiplyExact(firstBlock[n] * LANES, stride)];
    }

    /**
     * Packs the steps of episodes.
     *
     * @param mean to subtract: of these episodes and of all that they are compared with
     */
    static PackedSteps of(EmbeddedEpisodes episodes, double[] mean) {
        PackedSteps packed = new PackedSteps(episodes);
        float[] x = new float[packed.features];
        for (int i = 0; i < episodes.count(); i++) {
            for (int t = 0; t < episodes.length(i); t++) {
                packed.put(episodes, mean, i, t, x);
            }
        }
        return packed;
    }

    private void put(EmbeddedEpisodes episodes, double[] mean, int episode, int t, float[] x) {
        double scale = Math.sqrt(1 / (Math.log(2) * EpisodicGram.TWICE_SQUARED_LENGTH));
        int step = episodes.starts()[episode] + t;
        double square = 0;
        for (int k = 0; k < features; k++) {
            x[k] = (float) (scale * (episodes.embeddings()[step * features + k] - mean[k]));
            square += (double) x[k] * x[k];
        }
        if (square > LARGEST_SQUARE) {
            throw new IllegalArgumentException("embeddings of row " + step + " are too large for a kernel in floats");
        }
        int row = (firstGroup[episode] + t / GramKernel.ROWS) * GramKernel.ROWS * stride + t % GramKernel.ROWS;
        int column = (firstBlock[episode] + t / LANES) * LANES * stride + t % LANES;
        rows[row] = (float) square;
        columns[column] = (float) square;
        for (int k = 0; k < dimensions; k++) {
            float v = episodes.weights()[step * dimensions + k];
            rows[row + (1 + k) * GramKernel.ROWS] = v;
            columns[column + (1 + k) * LANES] = v;
        }
        for (int k = 0; k < features; k++) {
            rows[row + (1 + dimensions + k) * GramKernel.ROWS] = -2 * x[k];
            columns[column + (1 + dimensions + k) * LANES] = x[k];
        }
    }

    /**
     * The first group of an episode; its last is the one before the next episode's first. The same holds for blocks.
     */
    int firstGroup(int episode) {
        return firstGroup[episode];
    }

    int firstBlock(int episode) {
        return firstBlock[episode];
    }
}
