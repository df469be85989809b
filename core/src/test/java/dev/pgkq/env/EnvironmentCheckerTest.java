package dev.pgkq.env;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.random.RandomStream;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class EnvironmentCheckerTest {
    /** A user's first environment, in twenty lines: a point on a line that should come to rest at 0. */
    static class Point implements Environment {
        double x;

        @Override
        public EnvironmentSpec spec() {
            return EnvironmentSpec.symmetric(1, 1, 1, 1, 50);
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

    private static void finds(Supplier<Environment> broken, String words) {
        assertThat(EnvironmentChecker.check(new Task("Broken-v0", "", broken)))
                .anySatisfy(finding -> assertThat(finding).contains(words));
    }

    @Test
    void findsNothingWrongWithAGoodEnvironment() {
        assertThat(EnvironmentChecker.check(new Task("Point-v0", "", Point::new)))
                .isEmpty();
        assertThat(EnvironmentChecker.check(Tasks.named("Pendulum-v1"))).isEmpty();
    }

    @Test
    void findsAnObservationThatIsNotWritten() {
        finds(
                () -> new Point() {
                    @Override
                    public void observation(float[] into) {}
                },
                "not written");
        assertThat(EnvironmentChecker.check(new Task("Broken-v0", "", () -> new Point() {
                    @Override
                    public void observation(float[] into) {}
                })))
                .as("said once, not for every step")
                .hasSize(1);
    }

    @Test
    void reportsASpecThatIsNoneAndAConstructorThatFails() {
        finds(
                () -> new Point() {
                    @Override
                    public EnvironmentSpec spec() {
                        return EnvironmentSpec.symmetric(0, 1, 1, 1, 50);
                    }
                },
                "observationSize must be positive");
        finds(
                () -> {
                    throw new IllegalStateException("no licence");
                },
                "no licence");
    }

    @Test
    void findsRandomNumbersThatDoNotComeFromTheStream() {
        finds(
                () -> new Point() {
                    @Override
                    public Outcome step(float[] action) {
                        x += 0.01 * Math.random();
                        return super.step(action);
                    }
                },
                "different episodes");
    }

    @Test
    void findsTracesOfAnEarlierEpisode() {
        finds(
                () -> new Point() {
                    double drift;

                    @Override
                    public Outcome step(float[] action) {
                        drift += 0.001;
                        x += drift;
                        return super.step(action);
                    }
                },
                "reset must set everything");
    }

    @Test
    void findsARewardThatLooksAtTheSimulator() {
        finds(
                () -> new Point() {
                    @Override
                    public double reward(double[] before, float[] action, double[] after) {
                        return -x * x;
                    }
                },
                "depend on its arguments only");
    }

    @Test
    void findsARewardThatIsNotANumber() {
        finds(
                () -> new Point() {
                    @Override
                    public double reward(double[] before, float[] action, double[] after) {
                        return Math.log(-1);
                    }
                },
                "rewards must be finite");
    }

    @Test
    void findsAStepThatChangesItsAction() {
        finds(
                () -> new Point() {
                    @Override
                    public Outcome step(float[] action) {
                        action[0] *= 0.5f;
                        return super.step(action);
                    }
                },
                "changes the action array");
    }

    @Test
    void findsASimulationThatBlowsUp() {
        finds(
                () -> new Point() {
                    @Override
                    public Outcome step(float[] action) {
                        return Outcome.DIVERGED;
                    }
                },
                "diverged at step 0");
    }

    @Test
    void findsAStartThatIgnoresTheStream() {
        finds(
                () -> new Point() {
                    @Override
                    public void reset(RandomStream random) {
                        x = 0;
                    }
                },
                "start from the same state");
    }

    @Test
    void reportsAnExceptionWithItsPlace() {
        finds(
                () -> new Point() {
                    @Override
                    public Outcome step(float[] action) {
                        throw new IllegalStateException("no such joint");
                    }
                },
                "no such joint");
    }
}
