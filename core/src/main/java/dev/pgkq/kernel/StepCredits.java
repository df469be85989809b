package dev.pgkq.kernel;

import dev.pgkq.credit.Credit;
import dev.pgkq.episode.Steps;

/**
 * The credit v_t of a step: the factor of the process's value at the step in the sum Σ_t g_t (x_t − x̄) Â_t, whose error the
 * quadrature keeps small.
 *
 * @param factors x of the advantages in that sum
 * @param target what the process models
 * @param credit how rewards become advantages, and g
 * @param centre x̄, which is subtracted from every factor
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record StepCredits(StepFactors factors, Credit.Target target, Credit credit, double[] centre) {
    /**
     * Creates credits for factors from which nothing is subtracted: x̄ = 0.
     *
     * @param factors x of the advantages in the sum
     * @param target what the process models
     * @param credit how rewards become advantages, and g
     */
    public StepCredits(StepFactors factors, Credit.Target target, Credit credit) {
        this(factors, target, credit, new double[factors.dimensions()]);
    }

    /** {@return the size of v_t} */
    public int dimensions() {
        return factors.dimensions();
    }

    /**
     * {@return these credits with another centre}
     *
     * @param other x̄
     */
    public StepCredits around(double[] other) {
        return new StepCredits(factors, target, credit, other);
    }

    /**
     * Computes credits. The bits of an episode do not depend on the others.
     *
     * @param steps of episodes
     * @return v of every step, row by row
     */
    public float[] of(Steps steps) {
        return of(steps.starts(), factors.of(steps));
    }

    /**
     * Computes credits from factors that are already known.
     *
     * @param starts the row at which each episode starts, and the row after the last one
     * @param known x of every step, row by row
     * @return v of every step, row by row
     */
    public float[] of(int[] starts, float[] known) {
        float[] centred = new float[known.length];
        for (int row = 0; row < known.length; row += centre.length) {
            for (int d = 0; d < centre.length; d++) {
                centred[row + d] = (float) (known[row + d] - centre[d]);
            }
        }
        return credit.of(target, starts, centred, dimensions());
    }

    /**
     * Centres the factors of a batch.
     *
     * @param starts the row at which each episode starts, and the row after the last one
     * @param known x of every step, row by row
     * @return these credits around the weighted mean factor of the batch
     */
    public StepCredits centredOn(int[] starts, float[] known) {
        return around(mean(sums(starts, known)));
    }

    /**
     * Computes Σ_t g_t x_t and, after it, Σ_t g_t of every episode. The bits of an episode do not depend on the others.
     *
     * @param starts the row at which each episode starts, and the row after the last one
     * @param known x of every step, row by row
     * @return a row of {@link #dimensions} + 1 values for every episode
     */
    double[] sums(int[] starts, float[] known) {
        int size = dimensions();
        double[] sums = new double[(starts.length - 1) * (size + 1)];
        for (int e = 0; e + 1 < starts.length; e++) {
            int at = e * (size + 1);
            double g = 1;
            for (int row = starts[e]; row < starts[e + 1]; row++) {
                for (int d = 0; d < size; d++) {
                    sums[at + d] += g * known[row * size + d];
                }
                sums[at + size] += g;
                g *= credit.stepFactor();
            }
        }
        return sums;
    }

    /**
     * Computes the weighted mean factor Σ g_t x_t / Σ g_t of all episodes of a batch from the sums of each, which may come
     * from several machines. The bits do not depend on that.
     *
     * @param sums of all episodes, in the order of the batch
     * @return the mean; 0 if there are no steps
     */
    double[] mean(double[] sums) {
        int size = dimensions();
        double[] mean = new double[size];
        double total = 0;
        for (int at = 0; at < sums.length; at += size + 1) {
            for (int d = 0; d < size; d++) {
                mean[d] += sums[at + d];
            }
            total += sums[at + size];
        }
        for (int d = 0; d < size && total > 0; d++) {
            mean[d] /= total;
        }
        return mean;
    }
}
