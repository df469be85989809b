package dev.pgkq.app.trace;

import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.quadrature.GramMatrix;

/**
 * Points in the plane whose distances approximate those in a kernel's feature space best: the two leading principal
 * components, √λ_j u_j with the eigenpairs of the centred matrix K_ij − K̄_i − K̄_j + K̄. Quadrature chooses points that
 * represent all others in this space, with all of its dimensions.
 *
 * @param x first component of each point
 * @param y second component of each point
 * @param shares the fraction of the total variance that each component explains
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record KernelMap(double[] x, double[] y, double[] shares) {
    /**
     * The map of a Gram matrix. The sign of a component is arbitrary; it is chosen so that the component grows with
     * {@code towards}.
     *
     * @param towards a number per point, for instance the length of the episode
     */
    static KernelMap of(GramMatrix gram, double[] towards) {
        int size = gram.size();
        double[] centred = new double[size * size];
        double trace = 0;
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                centred[i * size + j] = gram.at(i, j) - gram.meanAt(i) - gram.meanAt(j) + gram.mean();
            }
            trace += centred[i * size + i];
        }
        SymmetricEigen eigen = SymmetricEigen.largest(centred, size, Math.min(2, size));
        double[][] components = new double[2][size];
        double[] shares = new double[2];
        for (int c = 0; c < eigen.values().length; c++) {
            double value = Math.max(0, eigen.values()[c]);
            double scale = Math.sqrt(value) * sign(eigen.vectors()[c], towards);
            for (int i = 0; i < size; i++) {
                components[c][i] = scale * eigen.vectors()[c][i];
            }
            shares[c] = trace > 0 ? value / trace : 0;
        }
        return new KernelMap(components[0], components[1], shares);
    }

    private static double sign(double[] vector, double[] towards) {
        double mean = 0;
        for (double each : towards) {
            mean += each / towards.length;
        }
        double product = 0;
        for (int i = 0; i < vector.length; i++) {
            product += vector[i] * (towards[i] - mean);
        }
        return product < 0 ? -1 : 1;
    }
}
