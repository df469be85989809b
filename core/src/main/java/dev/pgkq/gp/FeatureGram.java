package dev.pgkq.gp;

import static dev.pgkq.linalg.Blas.Transpose.NO;
import static dev.pgkq.linalg.Blas.Transpose.YES;

import dev.pgkq.linalg.Blas;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An unbiased estimate of the Gram matrix from random features, with an error that falls like 1/√m. For random
 * frequencies ω and φ(f) = (cos⟨ω_k, f⟩, sin⟨ω_k, f⟩)_k, m values in all,
 *
 * <pre>
 *   exp(−‖f − f'‖² / 20) ≈ (2/m) ⟨φ(f), φ(f')⟩,   so   K_ij ≈ (2/m) ⟨Φ_i, Φ_j⟩   with Φ_i = Σ_t v_t φ(f_t)ᵀ.
 * </pre>
 *
 * <p>The sum over steps is computed once per episode: N T m d + N² m d / 2 operations instead of N² T² / 2 kernel
 * values.
 *
 * @param count m, even
 * @param seed of the frequencies: the same for all episodes
 */
public record FeatureGram(int count, long seed) implements EpisodicGram {
    /** Steps whose angles, cosines and sines are in memory at once. */
    private static final int ROWS_AT_ONCE = 128;
    /** Columns of Φ whose products are added in floats; sums over panels are in doubles. */
    private static final int PANEL = 256;
    /** Rows and columns of K that are computed at once. */
    private static final int TILE = 64;

    /** Larger coordinates could make angles that {@link SineCosine} cannot reduce. */
    private static final double LARGEST_COORDINATE = 1e5;

    private static final double PRODUCTS_PER_SECOND = 3e10;
    /** The angle and the wave of a feature take as long as this many products. */
    private static final double FEATURES_AND_WAVES = 30;

    /**
     * Checks the number of features.
     *
     * @throws IllegalArgumentException if it is odd or less than 2
     */
    public FeatureGram {
        if (count < 2 || count % 2 != 0) {
            throw new IllegalArgumentException(
                    "features come in pairs: their number must be even and at least 2, but is " + count);
        }
    }

    @Override
    public Part part(EmbeddedEpisodes episodes, double[] mean, Workers workers) {
        return new Panels(featuresOf(episodes, mean, workers, SineCosine.best()), episodes.count(), count);
    }

    /** Angles, cosines and sines of every step, their weighted sums, and products of half of the sums with each other. */
    @Override
    public double seconds(int episodes, double steps, int dimensions) {
        double products =
                steps * count * (FEATURES_AND_WAVES + dimensions) + 0.5 * episodes * episodes * count * dimensions;
        return products / PRODUCTS_PER_SECOND;
    }

    @Override
    public double bytes(int episodes, double steps, int dimensions) {
        return (double) Float.BYTES * episodes * count * dimensions;
    }

    /** The rounding of a product depends on its tile, so tiles have to start at the same episodes in every block. */
    @Override
    public int alignment() {
        return TILE;
    }

    /** Φ, in panels of {@link #PANEL} columns, each N × PANEL; the last is filled up with zeros. */
    float[] featuresOf(EmbeddedEpisodes episodes, double[] mean, Workers workers, SineCosine sineCosine) {
        int n = episodes.count();
        int width = count * episodes.dimensions();
        float[] panels = new float[Math.multiplyExact(n, Math.ceilDiv(width, PANEL) * PANEL)];
        float[] frequencies =
                Frequencies.inTurns(episodes.features(), count / 2, RandomStream.of(seed, Purpose.KERNEL_FEATURES));
        Workspace[] workspaces = new Workspace[workers.count()];
        Arrays.setAll(workspaces, w -> new Workspace(count, episodes.features(), episodes.dimensions()));
        workers.run(n, (worker, episode) -> {
            Workspace space = workspaces[worker];
            sumOverSteps(episodes, episode, mean, frequencies, sineCosine, space);
            for (int from = 0; from < width; from += PANEL) {
                System.arraycopy(space.sums, from, panels, from * n + episode * PANEL, Math.min(PANEL, width - from));
            }
        });
        return panels;
    }

    /** The workspace of one worker. */
    private static final class Workspace {
        final float[] centred;
        final float[] turns;
        final float[] cosinesAndSines;
        final float[] sums;

        Workspace(int count, int features, int dimensions) {
            centred = new float[ROWS_AT_ONCE * features];
            turns = new float[ROWS_AT_ONCE * count / 2];
            cosinesAndSines = new float[ROWS_AT_ONCE * count];
            sums = new float[dimensions * count];
        }
    }

    private void sumOverSteps(
            EmbeddedEpisodes episodes,
            int episode,
            double[] mean,
            float[] frequencies,
            SineCosine sineCosine,
            Workspace space) {
        int features = episodes.features();
        int dimensions = episodes.dimensions();
        int end = episodes.starts()[episode + 1];
        Arrays.fill(space.sums, 0);
        for (int from = episodes.starts()[episode]; from < end; from += ROWS_AT_ONCE) {
            int rows = Math.min(ROWS_AT_ONCE, end - from);
            centre(episodes, from, rows, mean, space.centred);
            Blas blas = Blas.best();
            blas.multiply(NO, NO, rows, count / 2, features, space.centred, 0, frequencies, 0, 0f, space.turns, 0);
            sineCosine.of(space.turns, rows, count / 2, space.cosinesAndSines);
            blas.multiply(
                    YES,
                    NO,
                    dimensions,
                    count,
                    rows,
                    episodes.weights(),
                    from * dimensions,
                    space.cosinesAndSines,
                    0,
                    1f,
                    space.sums,
                    0);
        }
    }

    private static void centre(EmbeddedEpisodes episodes, int from, int rows, double[] mean, float[] centred) {
        int features = episodes.features();
        for (int i = 0; i < rows * features; i++) {
            double value = episodes.embeddings()[from * features + i] - mean[i % features];
            if (Math.abs(value) > LARGEST_COORDINATE) {
                throw new IllegalArgumentException(
                        "embeddings of row " + (from + i / features) + " are too large for features in floats");
            }
            centred[i] = (float) value;
        }
    }

    /**
     * Φ of some episodes.
     *
     * @param panels of {@link #PANEL} columns, each n × PANEL
     * @param count n
     * @param features m
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Panels(float[] panels, int count, int features) implements Part {
        @Override
        public Part and(List<Part> following) {
            List<Panels> all = new ArrayList<>(List.of(this));
            following.forEach(part -> all.add((Panels) part));
            int n = all.stream().mapToInt(Panels::count).sum();
            int number = count == 0 ? 0 : panels.length / (count * PANEL);
            float[] joined = new float[Math.multiplyExact(n, number * PANEL)];
            int first = 0;
            for (Panels part : all) {
                int size = part.count * PANEL;
                for (int panel = 0; panel < number; panel++) {
                    System.arraycopy(part.panels, panel * size, joined, (panel * n + first) * PANEL, size);
                }
                first += part.count;
            }
            return new Panels(joined, n, features);
        }

        /** (2/m) Φ Φ'ᵀ in tiles, each a task; in the block of a part with itself one half is copied. */
        @Override
        public double[] against(Part columns, Workers workers) {
            Panels other = (Panels) columns;
            boolean itself = other == this;
            double[] gram = new double[Math.multiplyExact(count, other.count)];
            int across = Math.ceilDiv(other.count, TILE);
            workers.run(Math.ceilDiv(count, TILE) * across, (worker, tile) -> {
                int row = tile / across * TILE;
                int column = tile % across * TILE;
                if (!itself || column >= row) {
                    tile(other, row, column, itself && row == column, gram);
                }
            });
            if (itself) {
                for (int i = 0; i < count; i++) {
                    for (int j = 0; j < i; j++) {
                        gram[i * count + j] = gram[j * count + i];
                    }
                }
            }
            return gram;
        }

        private void tile(Panels other, int row, int column, boolean half, double[] gram) {
            int rows = Math.min(TILE, count - row);
            int columns = Math.min(TILE, other.count - column);
            float[] part = new float[rows * columns];
            double[] sums = new double[rows * columns];
            for (int panel = 0; panel < panels.length / (count * PANEL); panel++) {
                int a = (panel * count + row) * PANEL;
                int b = (panel * other.count + column) * PANEL;
                Blas.best().multiply(NO, YES, rows, columns, PANEL, panels, a, other.panels, b, 0f, part, 0);
                for (int i = 0; i < part.length; i++) {
                    sums[i] += part[i];
                }
            }
            for (int i = 0; i < rows; i++) {
                for (int j = half ? i : 0; j < columns; j++) {
                    gram[(row + i) * other.count + column + j] = sums[i * columns + j] * (2.0 / features);
                }
            }
        }
    }
}
