package dev.pgkq.rewards.desk;

import java.util.OptionalDouble;

/**
 * The limits of what a run may pay for. Every call of the evaluator counts, also one that gave no answer, unless it was free: the
 * evaluator was not reached, or states a cost of 0 with its error.
 *
 * @param evaluations maximum number of evaluations; {@code Long.MAX_VALUE} for no limit
 * @param cost maximum total cost; infinity for no limit
 * @param costOfOne cost of an evaluation whose answer does not state one
 * @param costOfFailure cost of a call without an answer, unless the evaluator states it; 0 if such calls are free and do not count;
 *     empty if they cost as much as an answer
 */
public record Budget(long evaluations, double cost, double costOfOne, OptionalDouble costOfFailure) {
    /** No limits; an evaluation costs nothing unless its answer states a cost. */
    public static final Budget UNLIMITED = new Budget(Long.MAX_VALUE, Double.POSITIVE_INFINITY, 0);

    /** At most this many evaluations, whatever they cost. */
    public static Budget ofEvaluations(long evaluations) {
        return new Budget(evaluations, Double.POSITIVE_INFINITY, 0);
    }

    /**
     * A budget in which calls without an answer cost as much as others.
     *
     * @throws IllegalArgumentException if a number is negative or NaN, or the cost of one evaluation is infinite
     */
    public Budget(long evaluations, double cost, double costOfOne) {
        this(evaluations, cost, costOfOne, OptionalDouble.empty());
    }

    /** @throws IllegalArgumentException if a number is negative or NaN, or the cost of one evaluation or failure is infinite */
    public Budget {
        if (evaluations < 0 || !(cost >= 0) || !isPrice(costOfOne) || !isPrice(costOfFailure.orElse(0))) {
            throw new IllegalArgumentException("a budget must not be negative: " + evaluations + " evaluations, cost "
                    + cost + ", cost of one " + costOfOne + ", of a failure " + costOfFailure);
        }
    }

    private static boolean isPrice(double value) {
        return value >= 0 && value < Double.POSITIVE_INFINITY;
    }
}
