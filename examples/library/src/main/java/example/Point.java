package example;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.random.RandomStream;

/** A point on a line that should come to rest at 0. */
final class Point implements Environment {
    private double x;

    /** 1 observation, 1 action between −1 and 1, 1 number of state, at most 50 steps. */
    @Override
    public EnvironmentSpec spec() {
        return EnvironmentSpec.symmetric(1, 1, 1f, 1, 50);
    }

    @Override
    public void reset(RandomStream random) {
        x = random.uniform(-1, 1);
    }

    @Override
    public Outcome step(float[] action) {
        x += 0.1 * action[0];
        return Math.abs(x) > 3 ? Outcome.TERMINATED : Outcome.CONTINUES;
    }

    @Override
    public void observation(float[] into) {
        into[0] = (float) x;
    }

    @Override
    public void state(double[] into) {
        into[0] = x;
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return -after[0] * after[0];
    }
}
