package dev.pgkq.app.training;

import dev.pgkq.select.Pace;

/**
 * Spreads a budget over the iterations of a run that decide themselves how many episodes to evaluate.
 *
 * @param budget evaluations of the whole run; {@link Long#MAX_VALUE} if there is no limit
 * @param iterations of the whole run
 */
record Allowance(long budget, int iterations) {
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
        // later iterations need some to find out that a belief has become wrong
        long kept = Math.min(remaining / Pace.Auto.AUDIT, budget / 2);
        if (left > kept) {
            long twiceTheMean = Math.ceilDiv(2 * (left - kept), remaining);
            return (int) Math.min(Integer.MAX_VALUE, Math.min(left - kept, twiceTheMean));
        }
        long period = Math.max(Pace.Auto.AUDIT, Math.ceilDiv(remaining, Math.max(1, left)));
        return left > 0 && (done + 1) % period == 0 ? 1 : 0;
    }
}
