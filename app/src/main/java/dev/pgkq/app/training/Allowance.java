package dev.pgkq.app.training;

import dev.pgkq.select.Pace;

/**
 * Spreads a budget over the iterations of a run that decide themselves how many episodes to evaluate.
 *
 * @param budget evaluations of the whole run; {@link Long#MAX_VALUE} if there is no limit
 * @param iterations of the whole run
 */
record Allowance(long budget, int iterations) {
    /** A sum that is a whole number is not rounded up. */
    private static final double ROUNDING = 1e-9;

    /**
     * The most episodes of the next iteration. It depends only on what a checkpoint knows, so that a resumed run makes the same
     * choices.
     *
     * @param paid evaluations of the iterations before
     * @param done iterations before
     */
    int of(long paid, int done) {
        if (budget == Long.MAX_VALUE) {
            return Integer.MAX_VALUE;
        }
        long left = Math.max(0, budget - paid);
        int remaining = Math.max(1, iterations - done);
        if (2 * budget < iterations) {
            return (int) Math.max(0, Math.min(left, earned(done) - paid));
        }
        // later iterations need some to find out that a belief has become wrong
        long kept = Math.min(remaining / Pace.Auto.AUDIT, budget / 2);
        if (left > kept) {
            long twiceTheMean = Math.ceilDiv(2 * (left - kept), remaining);
            return (int) Math.min(Integer.MAX_VALUE, Math.min(left - kept, twiceTheMean));
        }
        long period = Math.max(Pace.Auto.AUDIT, Math.ceilDiv(remaining, Math.max(1, left)));
        return left > 0 && (done + 1) % period == 0 ? 1 : 0;
    }

    /**
     * What the next iteration and those before it may have paid for in all, where there is less than one evaluation for two
     * iterations. With x the share of the iterations, this is budget · (1 − (1 − x)²), so that every iteration earns twice its share of
     * what is left, except that x of those kept for checks is earned at every x.
     */
    private long earned(int done) {
        double x = Math.min(1, (done + 1.0) / iterations);
        long kept = Math.min(iterations / Pace.Auto.AUDIT, budget / 2);
        return (long) Math.ceil((budget - kept) * x * (2 - x) + kept * x - ROUNDING);
    }
}
