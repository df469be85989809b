package dev.pgkq.env;

/**
 * What is good going in a task, for rewards that are made of its own: what a step has to earn to count at all, and what
 * whole episodes earn that are poor or good.
 *
 * @param goodStep a step that earns more is a good one
 * @param poorReturn an episode with this return, or less, deserves nothing
 * @param goodReturn an episode with this return is half as good as can be
 */
public record Yardstick(double goodStep, double poorReturn, double goodReturn) {
    public Yardstick {
        if (!Double.isFinite(goodStep) || !(poorReturn < goodReturn) || Double.isInfinite(goodReturn - poorReturn)) {
            throw new IllegalArgumentException("a yardstick needs a finite good step and a poor return below the good"
                    + " one, got " + goodStep + ", " + poorReturn + ", " + goodReturn);
        }
    }
}
