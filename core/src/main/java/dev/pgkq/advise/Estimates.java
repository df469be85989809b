package dev.pgkq.advise;

/**
 * Estimated rewards of all items of a round, summed over the steps of each.
 *
 * @param mean what the model expects of each item after it has learned the scores; where every step has a score, the sum of these if the
 *     item was scored
 * @param deviation the standard deviation of its error; NaN while nothing is known about that
 * @param corrected m_j + N w_j (S_j − m_j) of the scored items, and m_j of all others, with m_j what was expected before any of the
 *     scores was known. Their mean, and every linear function of them, is the estimate that kernel quadrature makes
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Estimates(double[] mean, double[] deviation, double[] corrected) {}
