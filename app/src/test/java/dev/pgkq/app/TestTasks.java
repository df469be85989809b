package dev.pgkq.app;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskProvider;
import dev.pgkq.env.Yardstick;
import dev.pgkq.random.RandomStream;
import java.util.List;

/** Tasks that a user's jar could bring, for tests: they are found as a user's tasks are, through a services file. */
public final class TestTasks implements TaskProvider {
    @Override
    public List<Task> tasks() {
        return List.of(
                new Task("Exploding-v0", "blows up in half of the episodes, in some at once", Exploding::new)
                        .measuredBy(new Yardstick(0.5, 0, 50)),
                new Task("Blind-v0", "has an observation that is not a number", Blind::new),
                new Task("Priceless-v0", "has a reward that is not a number", Priceless::new),
                new Task("Faulty-v0", "has a reward that throws what nobody foresaw", Faulty::new),
                new Task("OneStep-v0", "ends after one step; the best action is what is seen", OneStep::new));
    }

    private static final class Blind extends Exploding {
        @Override
        public void observation(float[] into) {
            into[0] = Float.NaN;
        }
    }

    private static final class Priceless extends Exploding {
        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return Double.NaN;
        }
    }

    private static final class Faulty extends Exploding {
        @Override
        public double reward(double[] before, float[] action, double[] after) {
            throw new IllegalStateException("the simulator is gone");
        }
    }

    private static final class OneStep implements Environment {
        private float seen;

        @Override
        public EnvironmentSpec spec() {
            return EnvironmentSpec.symmetric(1, 1, 1, 1, 1);
        }

        @Override
        public void reset(RandomStream random) {
            seen = (float) random.uniform(-1, 1);
        }

        @Override
        public Outcome step(float[] action) {
            return Outcome.CONTINUES;
        }

        @Override
        public void observation(float[] into) {
            into[0] = seen;
        }

        @Override
        public void state(double[] into) {
            into[0] = seen;
        }

        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return -Math.pow(action[0] - before[0], 2);
        }
    }

    private static class Exploding implements Environment {
        private int steps;
        private int fuse;

        @Override
        public EnvironmentSpec spec() {
            return EnvironmentSpec.symmetric(1, 1, 1, 1, 20);
        }

        @Override
        public void reset(RandomStream random) {
            steps = 0;
            fuse = random.nextInt(40);
        }

        @Override
        public Outcome step(float[] action) {
            return steps++ >= fuse ? Outcome.DIVERGED : Outcome.CONTINUES;
        }

        @Override
        public void observation(float[] into) {
            into[0] = steps;
        }

        @Override
        public void state(double[] into) {
            into[0] = steps;
        }

        @Override
        public double reward(double[] before, float[] action, double[] after) {
            return 1;
        }
    }
}
