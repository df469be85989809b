package dev.pgkq.model;

import dev.pgkq.bayes.BatchFeatures;
import dev.pgkq.reward.Grain;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The rows (f, y) of a regression: a step with its reward, or an episode with its number. The row of an episode without steps is
 * missing, because it has no number.
 *
 * @param grain whether rewards are known for every step or one for an episode
 * @param discount γ
 * @param batch φ of the batch
 */
record RegressionRows(Grain grain, double discount, BatchFeatures batch) {
    /** Returns the mean of ‖f‖² over the rows of the batch, without the 1 at the end of each row. */
    double meanSquare(int episodes) {
        double sum = 0;
        int count = 0;
        for (int e = 0; e < episodes; e++) {
            float[] rows = of(e);
            for (float value : rows) {
                sum += (double) value * value;
            }
            count += rows.length / (batch.width() + 1);
        }
        return count == 0 ? 1 : sum / count - 1;
    }

    /** Returns where each row starts: at every step, or at every episode that has steps and so a number. */
    int[] starts(int[] ofEpisodes) {
        return grain == Grain.STEP
                ? IntStream.rangeClosed(0, ofEpisodes[ofEpisodes.length - 1]).toArray()
                : Arrays.stream(ofEpisodes).distinct().toArray();
    }

    /** The f of an episode: φ of each step, or Σ_t γ^t φ_t if there are steps, and 1. */
    private float[] of(int episode) {
        int width = batch.width();
        int length = batch.length(episode);
        int count = grain == Grain.STEP ? length : Math.min(1, length);
        float[] rows = new float[count * (width + 1)];
        if (grain == Grain.STEP) {
            BatchFeatures.Rows ofSteps = batch.of(0, episode);
            for (int t = 0; t < length; t++) {
                System.arraycopy(ofSteps.values(), ofSteps.from() + t * width, rows, t * (width + 1), width);
            }
        } else if (length > 0) {
            double[] sum = new double[width];
            batch.addDiscounted(0, episode, discount, sum, 0);
            for (int j = 0; j < width; j++) {
                rows[j] = (float) sum[j];
            }
        }
        for (int row = 0; row < count; row++) {
            rows[row * (width + 1) + width] = 1;
        }
        return rows;
    }

    /** Returns the f of some episodes of the batch, with a 1 at the end of each row, one episode after the other. */
    float[] of(int[] episodes) {
        float[][] parts = new float[episodes.length][];
        int size = 0;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = of(episodes[i]);
            size = Math.addExact(size, parts[i].length);
        }
        float[] rows = new float[size];
        int at = 0;
        for (float[] part : parts) {
            System.arraycopy(part, 0, rows, at, part.length);
            at += part.length;
        }
        return rows;
    }

    /** Returns the y of episodes that start there: the rewards of the steps, or the number of each, as the discounted sum that it is. */
    double[] values(int[] ofEpisodes, double[] rewards) {
        return sums(starts(ofEpisodes), rewards, discount);
    }

    /** Returns the discounted sums of rewards of rows that start there. */
    static double[] sums(int[] starts, double[] rewards, double discount) {
        double[] sums = new double[starts.length - 1];
        for (int e = 0; e < sums.length; e++) {
            double g = 1;
            for (int i = starts[e]; i < starts[e + 1]; i++) {
                sums[e] += g * rewards[i];
                g *= discount;
            }
        }
        return sums;
    }
}
