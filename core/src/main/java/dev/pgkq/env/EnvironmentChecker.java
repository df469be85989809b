package dev.pgkq.env;

import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks an implementation of {@link Environment}: plays a few episodes with random actions and compares the results with
 * the rules. Every finding describes the observation and the fix.
 */
public final class EnvironmentChecker {
    private static final int EPISODES = 3;
    private static final int STEPS = 200;
    private static final float UNTOUCHED = Float.intBitsToFloat(0x7fc0dead);

    private final Task task;
    private final List<String> findings = new ArrayList<>();
    private boolean badObservation;
    private boolean badState;

    private EnvironmentChecker(Task task) {
        this.task = task;
    }

    /**
     * Checks a task. Opens two of its simulators, plays them and closes them. An exception that the task throws is a finding.
     *
     * @param task the task to check
     * @return the violations found, each with its fix; empty if there are none
     */
    public static List<String> check(Task task) {
        EnvironmentChecker checker = new EnvironmentChecker(task);
        try {
            checker.run();
        } catch (UserException e) {
            checker.findings.add(String.valueOf(e.getMessage()));
        } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
            checker.findings.add("threw " + e + where(e)
                    + ": an environment must accept any action within its bounds, and reset and step in any order");
        }
        return checker.findings.stream().distinct().toList();
    }

    private static String where(Throwable e) {
        StackTraceElement[] trace = e.getStackTrace();
        return trace.length == 0 ? "" : " at " + trace[0];
    }

    private void run() {
        try (Environment first = task.open();
                Environment second = task.open()) {
            EnvironmentSpec spec = first.spec();
            if (!sameShape(spec, second.spec())) {
                findings.add("two simulators have different specs: spec() must not depend on the instance");
                return;
            }
            // The second simulator plays the episodes in reverse order, which reveals state left over from earlier
            // ones.
            List<Trace> forwards = new ArrayList<>();
            List<Trace> backwards = new ArrayList<>();
            for (int e = 0; e < EPISODES; e++) {
                forwards.add(play(first, spec, e));
                backwards.addFirst(play(second, spec, EPISODES - 1 - e));
            }
            for (int e = 0; e < EPISODES; e++) {
                compare(forwards.get(e), backwards.get(e));
            }
            if (startsAlike(forwards.get(0), forwards.get(1), spec.hiddenStates())) {
                findings.add(
                        "two resets with different random streams start from the same state: draw the start state from"
                                + " the stream given to reset (fine if the task has a single start state)");
            }
            rewardsDependOnArgumentsOnly(first, second, spec, forwards.getFirst());
        }
    }

    /** Compares what can be seen. A seed may be hidden in a state. */
    private static boolean startsAlike(Trace a, Trace b, int hidden) {
        double[] some = a.states.getFirst();
        double[] other = b.states.getFirst();
        return Arrays.equals(some, hidden, some.length, other, hidden, other.length)
                && Arrays.equals(a.observations.getFirst(), b.observations.getFirst());
    }

    private static boolean sameShape(EnvironmentSpec a, EnvironmentSpec b) {
        return a.observationSize() == b.observationSize()
                && a.stateSize() == b.stateSize()
                && a.maxSteps() == b.maxSteps()
                && a.actions().equals(b.actions());
    }

    /** What was observed of one episode. */
    private record Trace(
            List<float[]> observations, List<double[]> states, List<float[]> actions, List<Outcome> outcomes) {}

    private Trace play(Environment environment, EnvironmentSpec spec, int episode) {
        Trace trace = new Trace(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        environment.reset(RandomStream.of(0, Purpose.CHECK, episode, 0));
        look(environment, spec, trace, "after reset");
        RandomStream random = RandomStream.of(0, Purpose.CHECK, episode, 1);
        Outcome outcome = Outcome.CONTINUES;
        for (int t = 0; t < Math.min(STEPS, spec.maxSteps()) && outcome == Outcome.CONTINUES; t++) {
            float[] action = action(spec.actions(), random);
            float[] given = action.clone();
            outcome = environment.step(given);
            if (outcome == null) {
                findings.add("step returned null: it must return CONTINUES, TERMINATED, TRUNCATED or DIVERGED");
                return trace;
            }
            if (!Arrays.equals(given, action)) {
                findings.add("step changes the action array it is given: copy it first");
            }
            trace.actions.add(action);
            trace.outcomes.add(outcome);
            if (outcome == Outcome.DIVERGED) {
                findings.add("diverged at step " + t + " under actions inside the bounds: check the integrator and the"
                        + " bounds of the actions");
            } else {
                look(environment, spec, trace, "after step " + t);
            }
        }
        return trace;
    }

    /** Draws an action; of a continuous one, some entries are at their bounds. */
    private static float[] action(ActionSpace space, RandomStream random) {
        float[] action = new float[space.size()];
        for (int i = 0; i < action.length; i++) {
            action[i] = switch (space) {
                case ActionSpace.Box box -> {
                    double share = Math.clamp(1.2 * random.nextDouble() - 0.1, 0, 1);
                    yield (float) (box.low()[i] + share * (box.high()[i] - box.low()[i]));
                }
                case ActionSpace.Discrete discrete -> random.nextInt(discrete.categories()[i]);
            };
        }
        return action;
    }

    private void look(Environment environment, EnvironmentSpec spec, Trace trace, String when) {
        float[] observation = new float[spec.observationSize()];
        double[] state = new double[spec.stateSize()];
        Arrays.fill(observation, UNTOUCHED);
        Arrays.fill(state, UNTOUCHED);
        environment.observation(observation);
        environment.state(state);
        for (int i = 0; i < observation.length && !badObservation; i++) {
            if (!Float.isFinite(observation[i])) {
                badObservation = true;
                findings.add("observation " + i + " of " + observation.length + " is "
                        + (Float.floatToRawIntBits(observation[i]) == 0x7fc0dead ? "not written" : observation[i]) + " "
                        + when
                        + ": observation() must write every entry with a finite number; report a simulation that diverges"
                        + " as DIVERGED");
            }
        }
        for (int i = 0; i < state.length && !badState; i++) {
            if (!Double.isFinite(state[i])) {
                badState = true;
                findings.add("state " + i + " of " + state.length + " is not written or not finite " + when
                        + ": state() must write every entry with a finite number");
            }
        }
        trace.observations.add(observation);
        trace.states.add(state);
    }

    private void compare(Trace a, Trace b) {
        for (int t = 0; t < Math.min(a.states.size(), b.states.size()); t++) {
            if (!Arrays.equals(a.states.get(t), b.states.get(t))
                    || !Arrays.equals(a.observations.get(t), b.observations.get(t))) {
                findings.add("the same random stream and actions gave different episodes, from step " + t
                        + " on: reset must set everything that step uses, and all random numbers must come from the stream"
                        + " given to reset (in Python: from the seed given to reset)");
                return;
            }
        }
        if (!a.outcomes.equals(b.outcomes)) {
            findings.add(
                    "the same random stream and actions ended differently: the end of an episode must depend on the"
                            + " state only");
        }
    }

    private void rewardsDependOnArgumentsOnly(
            Environment played, Environment other, EnvironmentSpec spec, Trace trace) {
        for (int t = 0; t + 1 < trace.states.size(); t++) {
            double[] before = trace.states.get(t).clone();
            double[] after = trace.states.get(t + 1).clone();
            float[] action = trace.actions.get(t).clone();
            double reward = played.reward(before, action, after);
            if (!Double.isFinite(reward)) {
                findings.add("the reward of step " + t + " is " + reward + ": rewards must be finite");
                return;
            }
            other.reset(RandomStream.of(0, Purpose.CHECK, 99 + t));
            if (other.reward(before, action, after) != reward) {
                findings.add(
                        "reward returns different values for the same arguments: it must depend on its arguments only, not"
                                + " on the simulator it is called on; put what it needs into state()");
                return;
            }
            if (!Arrays.equals(before, trace.states.get(t))
                    || !Arrays.equals(after, trace.states.get(t + 1))
                    || !Arrays.equals(action, trace.actions.get(t))) {
                findings.add("reward changes the arrays it is given: it must only read them");
                return;
            }
        }
        if (spec.maxSteps() > 1_000_000) {
            findings.add("maxSteps is " + spec.maxSteps() + ": episodes are held in memory, so choose a time limit");
        }
    }
}
