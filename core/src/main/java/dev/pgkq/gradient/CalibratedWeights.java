package dev.pgkq.gradient;

import dev.pgkq.episode.Steps;
import dev.pgkq.kernel.KernelView;
import dev.pgkq.kernel.StepCredits;
import dev.pgkq.purchase.PaidBatch;
import dev.pgkq.quadrature.ConicWeights;
import dev.pgkq.quadrature.GramMatrix;
import dev.pgkq.state.Snapshot;
import java.util.function.Function;

/**
 * The weights ≥ 0 that minimize the expected squared error of the correction. The shares of structure and noise in the
 * model's errors are measured on the paid episodes of the last iterations.
 *
 * <p>Let D_i = Σ_t v_t (r_t − m_t) be the model's error in the gradient of episode i before it learns from the episode; its
 * errors on unpaid episodes are of the same kind. Errors are modelled as a part that similar episodes share, with the
 * covariance K that chose the episodes, and an independent part:
 *
 * <pre>
 *   E⟨D_i, D_j⟩ = s² K_ij + τ² q_i δ_ij,   q_i = Σ_t ‖v_t‖²
 * </pre>
 *
 * Pairs i ≠ j of paid episodes estimate s² = Σ K_ij ⟨D_i, D_j⟩ / Σ K_ij², and the remainder of the squares ‖D_i‖² estimates
 * τ². Only their ratio matters, so every iteration uses units of its own. The weights of {@link ConicWeights} for
 * s² K + τ² diag q then represent the mean over all N episodes best. They sum to about 1 while the model's errors have a
 * structure that the kernel captures. Once only noise is left, each is near 1/N: the true reward where it is known, the
 * model's elsewhere.
 *
 * <p>A batch of a few episodes contains too little information about the shares, so they are pooled by a moving average that
 * starts with full trust in the kernel. With a single paid episode there is no pair, and the kernel is trusted throughout.
 */
public final class CalibratedWeights implements CorrectionWeights {
    private static final String CALIBRATION = "correction_weights/pooled";
    private static final double KEEP = 0.8;

    private static final int PRODUCTS = 0;
    private static final int SQUARES = 1;
    private static final int SUMS = 2;

    private final Function<PaidBatch, double[]> surprise;

    /** Pooled sums; floats, as in a checkpoint, so that a resumed run has the same bits. */
    private final float[] pooled = new float[SUMS];

    /**
     * Creates weights that trust the kernel until errors have been measured.
     *
     * @param surprise computes r − m of every paid step for a model that has not learned from these rewards
     */
    public CalibratedWeights(Function<PaidBatch, double[]> surprise) {
        this.surprise = surprise;
    }

    /**
     * {@inheritDoc}
     *
     * @throws IllegalArgumentException if the selection was made without a kernel
     */
    @Override
    public double[] of(PaidBatch paid) {
        KernelView view = paid.selection()
                .kernel()
                .orElseThrow(() -> new IllegalArgumentException("the selection has no kernel to calibrate"));
        int[] indices = paid.points().indices();
        double structure = 0;
        double noise = 0;
        for (int i : indices) {
            structure += view.gram().at(i, i);
            noise += view.noise()[i];
        }
        if (!(structure > 0 && noise > 0) || indices.length == view.gram().size()) {
            return paid.points().weights();
        }
        pool(view.gram(), indices, structure, errors(view.credits(), paid.paidSteps(), surprise.apply(paid)));
        double share = share();
        return best(view, indices, share / structure, (1 - share) / noise);
    }

    /** Returns the best weights for the kernel {@code ofStructure} · K + {@code ofNoise} · diag q. */
    private static double[] best(KernelView view, int[] indices, double ofStructure, double ofNoise) {
        GramMatrix gram = view.gram();
        int n = indices.length;
        double[] matrix = new double[n * n];
        double[] means = new double[n];
        for (int a = 0; a < n; a++) {
            double own = ofNoise * view.noise()[indices[a]];
            means[a] = ofStructure * gram.meanAt(indices[a]) + own / gram.size();
            for (int b = 0; b < n; b++) {
                matrix[a * n + b] = ofStructure * gram.at(indices[a], indices[b]) + (a == b ? own : 0);
            }
        }
        return ConicWeights.of(matrix, means);
    }

    /** Returns the share of structure: s² in units in which s² K_ii + τ² q_i has mean 1 over the paid episodes. */
    double share() {
        return pooled[SQUARES] > 0 ? Math.clamp(pooled[PRODUCTS] / pooled[SQUARES], 0.0, 1.0) : 1;
    }

    private void pool(GramMatrix gram, int[] indices, double structure, double[][] errors) {
        double square = 0;
        for (double[] error : errors) {
            square += dot(error, error);
        }
        if (!(square > 0) || indices.length < 2) {
            return;
        }
        double products = 0;
        double squares = 0;
        for (int a = 0; a < indices.length; a++) {
            for (int b = 0; b < a; b++) {
                double k = gram.at(indices[a], indices[b]) / structure;
                products += k * dot(errors[a], errors[b]) / square;
                squares += k * k;
            }
        }
        if (pooled[SQUARES] == 0) {
            pooled[PRODUCTS] = (float) squares;
            pooled[SQUARES] = (float) squares;
        }
        pooled[PRODUCTS] = (float) (KEEP * pooled[PRODUCTS] + (1 - KEEP) * products);
        pooled[SQUARES] = (float) (KEEP * pooled[SQUARES] + (1 - KEEP) * squares);
    }

    /** Returns D_i of the paid episodes. */
    private static double[][] errors(StepCredits credits, Steps paid, double[] surprise) {
        int dimensions = credits.dimensions();
        float[] weights = credits.of(paid);
        double[][] errors = new double[paid.episodes()][dimensions];
        for (int e = 0; e < errors.length; e++) {
            for (int t = paid.start(e); t < paid.start(e + 1); t++) {
                for (int d = 0; d < dimensions; d++) {
                    errors[e][d] += surprise[t] * weights[t * dimensions + d];
                }
            }
        }
        return errors;
    }

    private static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += a[i] * b[i];
        }
        return sum;
    }

    @Override
    public void save(Snapshot.Builder into) {
        into.tensor(CALIBRATION, pooled.clone(), SUMS);
    }

    @Override
    public void restore(Snapshot saved) {
        System.arraycopy(saved.values(CALIBRATION, SUMS), 0, pooled, 0, SUMS);
    }
}
