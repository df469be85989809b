package dev.pgkq.rewards.desk;

/**
 * What a run may pay for.
 *
 * @param evaluations number of evaluations
 * @param cost their total cost; infinity for no limit
 * @param costOfOne cost of an evaluation whose answer does not state one
 */
public record Budget(long evaluations, double cost, double costOfOne) {
    /** No limit, and evaluations that cost nothing unless their answer says so. */
    public static final Budget UNLIMITED = new Budget(Long.MAX_VALUE, Double.POSITIVE_INFINITY, 0);

    public Budget {
        if (evaluations < 0 || !(cost >= 0) || !(costOfOne >= 0 && costOfOne < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a budget must not be negative: " + evaluations + " evaluations, cost "
                    + cost + ", cost of one " + costOfOne);
        }
    }
}
