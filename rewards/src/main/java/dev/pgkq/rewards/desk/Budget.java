package dev.pgkq.rewards.desk;

/**
 * The limits of what a run may pay for.
 *
 * @param evaluations maximum number of evaluations; {@code Long.MAX_VALUE} for no limit
 * @param cost maximum total cost; infinity for no limit
 * @param costOfOne cost of an evaluation whose answer does not state one
 */
public record Budget(long evaluations, double cost, double costOfOne) {
    /** No limits; an evaluation costs nothing unless its answer states a cost. */
    public static final Budget UNLIMITED = new Budget(Long.MAX_VALUE, Double.POSITIVE_INFINITY, 0);

    /** At most this many evaluations, whatever they cost. */
    public static Budget ofEvaluations(long evaluations) {
        return new Budget(evaluations, Double.POSITIVE_INFINITY, 0);
    }

    /** @throws IllegalArgumentException if a number is negative or NaN, or the cost of one evaluation is infinite */
    public Budget {
        if (evaluations < 0 || !(cost >= 0) || !(costOfOne >= 0 && costOfOne < Double.POSITIVE_INFINITY)) {
            throw new IllegalArgumentException("a budget must not be negative: " + evaluations + " evaluations, cost "
                    + cost + ", cost of one " + costOfOne);
        }
    }
}
