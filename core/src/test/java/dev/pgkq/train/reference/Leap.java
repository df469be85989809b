package dev.pgkq.train.reference;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.random.RandomStream;

/** {@link Hop} with discrete actions: one of three pushes and one of two gusts. */
final class Leap implements Environment {
    private static final EnvironmentSpec SPEC = new EnvironmentSpec(3, new ActionSpace.Discrete(3, 2), 3, 7);

    private final Hop hop = new Hop();

    @Override
    public EnvironmentSpec spec() {
        return SPEC;
    }

    @Override
    public void reset(RandomStream random) {
        hop.reset(random);
    }

    @Override
    public Outcome step(float[] action) {
        return hop.step(pushed(action));
    }

    @Override
    public void observation(float[] into) {
        hop.observation(into);
    }

    @Override
    public void state(double[] into) {
        hop.state(into);
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return hop.reward(before, pushed(action), after);
    }

    private static float[] pushed(float[] action) {
        return new float[] {0.6f * (action[0] - 1), 0.8f * action[1] - 0.2f};
    }
}
