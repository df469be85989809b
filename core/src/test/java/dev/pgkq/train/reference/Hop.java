package dev.pgkq.train.reference;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.random.RandomStream;

/**
 * A small task with episodes of every kind: they leave the track, reach the time limit, or diverge, some in their first step.
 * The observation is the state.
 */
final class Hop implements Environment {
    private static final EnvironmentSpec SPEC = EnvironmentSpec.symmetric(3, 2, 1, 3, 7);

    private double place;
    private double speed;
    private double wind;

    @Override
    public EnvironmentSpec spec() {
        return SPEC;
    }

    @Override
    public void reset(RandomStream random) {
        place = random.uniform(-1, 1);
        speed = random.uniform(-0.5, 0.5);
        wind = random.uniform(-1, 1);
    }

    @Override
    public Outcome step(float[] action) {
        if (wind > 0.85) {
            return Outcome.DIVERGED;
        }
        speed = 0.8 * speed + 0.6 * action[0] + 0.2 * wind;
        place += speed;
        wind = 0.85 * StrictMath.sin(wind + 2 * place) + 0.05 * action[1];
        return Math.abs(place) > 1.5 ? Outcome.TERMINATED : Outcome.CONTINUES;
    }

    @Override
    public void observation(float[] into) {
        into[0] = (float) place;
        into[1] = (float) speed;
        into[2] = (float) wind;
    }

    @Override
    public void state(double[] into) {
        into[0] = place;
        into[1] = speed;
        into[2] = wind;
    }

    @Override
    public double reward(double[] before, float[] action, double[] after) {
        return 1 - after[0] * after[0] + 0.5 * before[2] * action[0] - 0.3 * action[1] * action[1] + after[1];
    }
}
