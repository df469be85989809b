package dev.pgkq.quadrature;

import java.util.function.Function;

/** The step shared by active-set methods for convex quadratic problems with weights ≥ 0. */
final class ActiveSet {
    private ActiveSet() {}

    /**
     * Moves the weights to the minimiser over the active points. Where a weight would turn negative on the way, it
     * stops there, removes that point from the active ones and starts again.
     *
     * @param weights of all points; those of inactive points are 0
     * @param active which points may have a positive weight
     * @param minimizer finds the best weights for the active points, of either sign
     */
    static void descend(double[] weights, boolean[] active, Function<boolean[], double[]> minimizer) {
        while (true) {
            double[] target = minimizer.apply(active);
            double step = 1;
            int blocking = -1;
            for (int i = 0; i < weights.length; i++) {
                if (active[i] && target[i] <= 0) {
                    double reach = weights[i] <= 0 ? 0 : weights[i] / (weights[i] - target[i]);
                    if (blocking < 0 || reach < step) {
                        step = reach;
                        blocking = i;
                    }
                }
            }
            for (int i = 0; i < weights.length; i++) {
                if (active[i]) {
                    weights[i] = Math.max(0, weights[i] + step * (target[i] - weights[i]));
                }
            }
            if (blocking < 0) {
                return;
            }
            weights[blocking] = 0;
            active[blocking] = false;
        }
    }
}
