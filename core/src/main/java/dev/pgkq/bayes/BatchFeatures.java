package dev.pgkq.bayes;

import dev.pgkq.nn.ChunkedGradient;
import dev.pgkq.parallel.Workers;
import java.util.Arrays;

/**
 * φ of the steps of one batch at a time, episode by episode. They are computed when an episode is first asked for and kept until the
 * next batch, so several stages share one computation. A batch that is too large to be kept is computed anew each time, so that
 * memory does not grow with it. The bits are the same: those of an episode do not depend on the others. Many short episodes are faster
 * {@linkplain #computeAll together}.
 */
public final class BatchFeatures {
    /** The most values that are kept: 256 MB. */
    private static final int MOST = 1 << 26;

    private final StepFeatures features;
    private final int most;

    private int[] starts = {0};
    private float[] steps = {};

    /** φ of all steps, if that is not too much; it is used again for later batches. */
    private float[] kept = {};

    private boolean[] known = {};

    /** φ of the episode that each worker asked for last, if they are not kept; and of a chunk of its rows. */
    private final float[][] ofWorker;

    private final float[][] chunks;

    /**
     * φ of the steps of an episode.
     *
     * @param values row by row; not to be changed
     * @param from where the first row starts
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Rows(float[] values, int from) {}

    /**
     * Creates features of no batch.
     *
     * @param features computes φ
     * @param workers how many workers ask
     */
    public BatchFeatures(StepFeatures features, int workers) {
        this(features, workers, MOST);
    }

    BatchFeatures(StepFeatures features, int workers, int most) {
        this.features = features;
        this.most = most;
        this.ofWorker = new float[workers][0];
        this.chunks = new float[workers][0];
    }

    /**
     * Turns to another batch.
     *
     * @param newStarts where each episode's rows start, and where the last one ends
     * @param newSteps z, row by row
     */
    public void turnTo(int[] newStarts, float[] newSteps) {
        starts = newStarts;
        steps = newSteps;
        known = new boolean[starts.length - 1];
        long values = (long) starts[starts.length - 1] * width();
        if (values > most) {
            kept = new float[0];
        } else if (kept.length < values) {
            kept = new float[(int) values];
        }
    }

    /**
     * Computes φ of all episodes at once, unless that is too much to be kept. The bits of an episode then depend on the batch, but not
     * on the number of workers.
     *
     * @param workers share the rows
     */
    public void computeAll(Workers workers) {
        int rows = starts[starts.length - 1];
        if (!keeps()) {
            return;
        }
        int most = ChunkedGradient.CHUNK_ROWS;
        workers.run(Math.ceilDiv(rows, most), (worker, chunk) -> {
            int from = chunk * most;
            compute(worker, from, Math.min(from + most, rows), kept, from * width());
        });
        Arrays.fill(known, true);
    }

    private boolean keeps() {
        return (long) starts[starts.length - 1] * width() <= most;
    }

    /** {@return the size of φ} */
    public int width() {
        return features.size();
    }

    /** {@return the number of steps of the longest episode} */
    public int longest() {
        int longest = 0;
        for (int e = 0; e + 1 < starts.length; e++) {
            longest = Math.max(longest, length(e));
        }
        return longest;
    }

    /**
     * {@return the number of steps of an episode}
     *
     * @param episode its position in the batch
     */
    public int length(int episode) {
        return starts[episode + 1] - starts[episode];
    }

    /**
     * Computes φ, unless it is known. Two workers do not ask for the same episode at once.
     *
     * @param worker who asks, from 0
     * @param episode its position in the batch
     * @return φ of its steps; valid until this worker asks for another episode, or the batch changes
     */
    public Rows of(int worker, int episode) {
        if (keeps()) {
            int from = starts[episode] * width();
            if (!known[episode]) {
                compute(worker, starts[episode], starts[episode + 1], kept, from);
                known[episode] = true;
            }
            return new Rows(kept, from);
        }
        int values = length(episode) * width();
        if (ofWorker[worker].length < values) {
            ofWorker[worker] = new float[values];
        }
        compute(worker, starts[episode], starts[episode + 1], ofWorker[worker], 0);
        return new Rows(ofWorker[worker], 0);
    }

    private void compute(int worker, int start, int end, float[] into, int at) {
        int rows = ChunkedGradient.CHUNK_ROWS;
        for (int from = start; from < end; from += rows) {
            int count = Math.min(rows, end - from);
            if (chunks[worker].length < count * width()) {
                chunks[worker] = new float[count * width()];
            }
            features.compute(steps, from, count, chunks[worker]);
            System.arraycopy(chunks[worker], 0, into, at + (from - start) * width(), count * width());
        }
    }

    /**
     * Adds Σ_t γ^t φ_t of an episode to a row.
     *
     * @param worker who asks, from 0
     * @param episode its position in the batch
     * @param discount γ
     * @param into receives the sums
     * @param at where the row starts
     */
    public void addDiscounted(int worker, int episode, double discount, double[] into, int at) {
        Rows rows = of(worker, episode);
        int width = width();
        double g = 1;
        for (int t = 0; t < length(episode); t++) {
            int row = rows.from + t * width;
            for (int j = 0; j < width; j++) {
                into[at + j] += g * rows.values[row + j];
            }
            g *= discount;
        }
    }

    /**
     * Computes φᵀ w of the steps of an episode.
     *
     * @param worker who asks, from 0
     * @param episode its position in the batch
     * @param weights w
     * @param unit a factor of all results
     * @param into receives them
     * @param at where those of the episode start
     */
    public void weigh(int worker, int episode, double[] weights, double unit, double[] into, int at) {
        Rows rows = of(worker, episode);
        float[] values = rows.values;
        int width = width();
        int count = length(episode);
        int row = 0;
        // four rows at a time, since each sum has to wait for itself
        for (; row + 3 < count; row += 4) {
            int first = rows.from + row * width;
            double a = 0;
            double b = 0;
            double c = 0;
            double d = 0;
            for (int j = 0; j < width; j++) {
                double weight = weights[j];
                a += values[first + j] * weight;
                b += values[first + width + j] * weight;
                c += values[first + 2 * width + j] * weight;
                d += values[first + 3 * width + j] * weight;
            }
            into[at + row] = unit * a;
            into[at + row + 1] = unit * b;
            into[at + row + 2] = unit * c;
            into[at + row + 3] = unit * d;
        }
        for (; row < count; row++) {
            double sum = 0;
            for (int j = 0; j < width; j++) {
                sum += values[rows.from + row * width + j] * weights[j];
            }
            into[at + row] = unit * sum;
        }
    }

    /** Forgets the batch. */
    public void clear() {
        turnTo(new int[] {0}, new float[0]);
    }
}
