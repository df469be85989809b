package dev.pgkq.env;

/**
 * Which rewards and returns of a task are good. Rewards that are derived from the task's own reward need it.
 *
 * @param goodStep a step with a higher reward is a good one
 * @param poorReturn an episode with this return or less scores 0
 * @param goodReturn an episode with this return scores half of the maximum
 */
public record Yardstick(double goodStep, double poorReturn, double goodReturn) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if a value is not finite or the poor return is not below the good one
     */
    public Yardstick {
        if (!Double.isFinite(goodStep) || !(poorReturn < goodReturn) || Double.isInfinite(goodReturn - poorReturn)) {
            throw new IllegalArgumentException("a yardstick needs a finite good step and a poor return below the good"
                    + " one, got " + goodStep + ", " + poorReturn + ", " + goodReturn);
        }
    }
}
