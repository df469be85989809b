package dev.pgkq.quadrature;

import dev.pgkq.linalg.SymmetricEigen;
import dev.pgkq.random.RandomStream;
import java.util.Arrays;

/**
 * Convex kernel quadrature by recombination [1], the rule of the paper.
 *
 * <p>The rule integrates exactly what matters most. The n − 1 leading eigenfunctions u_j of K are test functions, and
 * the N equal weights are reduced to n weights, still ≥ 0, that give every test function and the constant the same
 * integral. The rest of the kernel, the diagonal of K − Σ λ_j u_j u_jᵀ, bounds the error; with the <em>objective</em>
 * its integral o(w) = Σ w_i (K_ii − Σ_j λ_j u_j(i)²) is not increased either.
 *
 * <ol>
 *   <li>Eigenpairs with λ_j above rounding become test functions. Fewer than n − 1 of them mean fewer points.
 *   <li>With the objective, o is one more function whose integral is kept, which leaves one point too many. The last
 *       step moves along the one direction that keeps the test functions, downhill in o, until a weight is 0.
 * </ol>
 *
 * <p>[1] S. Hayakawa, H. Oberhauser, T. Lyons: Positively weighted kernel quadrature via subsampling. NeurIPS 2022.
 *
 * @param objective whether the integral of the rest must not grow either
 */
public record Recombination(boolean objective) implements QuadratureRule {
    /** Eigenvalues below this share of the largest are rounding errors; their vectors say nothing about the kernel. */
    public static final double LEAST_EIGENVALUE = 1e-12;

    @Override
    public WeightedPoints chooseFew(GramMatrix gram, int points, RandomStream random) {
        double[][] tests = testFunctions(gram, points - 1);
        return objective ? recombine(tests, residual(gram, tests)) : recombine(tests, gram.size());
    }

    /** Equal weights on N points reduced to p + 1 points that keep the integrals of p test functions. */
    static WeightedPoints recombine(double[][] tests, int size) {
        double[] weights = equal(size);
        Caratheodory.reduce(tests, weights);
        return WeightedPoints.normalized(WeightedPoints.all(weights.length).indices(), weights);
    }

    /**
     * Reduces equal weights on N points to at most p + 1 points that keep the integrals of p test functions and do not
     * increase the integral of the residual. Test functions may come from anywhere, for example from another sample
     * (Nyström).
     *
     * @param tests values of the test functions at the points, one function a row
     * @param residual its values at the points
     * @return the points and their weights
     */
    public static WeightedPoints recombine(double[][] tests, double[] residual) {
        double[] weights = equal(residual.length);
        double[][] withResidual = Arrays.copyOf(tests, tests.length + 1);
        withResidual[tests.length] = residual;
        Caratheodory.reduce(withResidual, weights);
        Caratheodory.reduceDownhill(tests, residual, weights);
        return WeightedPoints.normalized(WeightedPoints.all(weights.length).indices(), weights);
    }

    private static double[] equal(int size) {
        double[] weights = new double[size];
        Arrays.fill(weights, 1.0 / size);
        return weights;
    }

    /** √λ_j u_j for the leading eigenpairs. The factor gives them the scale of the kernel. */
    private static double[][] testFunctions(GramMatrix gram, int most) {
        if (most == 0) {
            return new double[0][];
        }
        SymmetricEigen pairs = SymmetricEigen.largest(gram.values(), gram.size(), most);
        double least = LEAST_EIGENVALUE * pairs.values()[0];
        int usable = 0;
        while (usable < most && pairs.values()[usable] > least && pairs.values()[usable] > 0) {
            usable++;
        }
        double[][] tests = new double[usable][];
        for (int j = 0; j < usable; j++) {
            double root = Math.sqrt(pairs.values()[j]);
            tests[j] =
                    Arrays.stream(pairs.vectors()[j]).map(value -> root * value).toArray();
        }
        return tests;
    }

    private static double[] residual(GramMatrix gram, double[][] tests) {
        double[] residual = new double[gram.size()];
        for (int i = 0; i < residual.length; i++) {
            residual[i] = gram.at(i, i);
            for (double[] test : tests) {
                residual[i] -= test[i] * test[i];
            }
            residual[i] = Math.max(0, residual[i]);
        }
        return residual;
    }
}
