package dev.pgkq.mujoco;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Figure;
import dev.pgkq.env.Outcome;
import dev.pgkq.random.RandomStream;
import java.util.Optional;

/**
 * The common part of the MuJoCo tasks: simulation, start state, step and divergence. A task adds its rules as functions of
 * the state vector, which is qpos, qvel and extras.
 *
 * <p>Gymnasium calls {@code mj_rnePostConstraint} after each step. It computes contact forces that none of these tasks reads
 * and on which no later step depends, so it is omitted: it would take 0.4 to 1.4 percent of a step.
 *
 * <p>Numbers are doubles here and are cast to the floats of {@link Environment} at the boundary, so that the physics can be
 * compared with recorded trajectories to the last digits.
 */
abstract class MujocoEnvironment implements Environment {
    /** MuJoCo treats larger numbers as invalid and resets itself in the next step. */
    private static final double LARGEST_SOUND = 1e10;

    private final EnvironmentSpec spec;
    private final MujocoModel model;
    private final Simulation simulation;
    private final int frameSkip;
    private final double stepSeconds;
    private final Noise positionNoise;
    private final Noise velocityNoise;
    private final double[] reference;
    private final double[] startPositions;
    private final double[] startVelocities;
    private final double[] control;
    private final double[] observation;

    /** The current state: qpos, qvel, then what {@link #readExtras} adds. */
    final double[] state;

    /** The number of entries of qpos, which is the index of qvel in the state. */
    final int positions;

    final int velocities;

    MujocoEnvironment(String modelName, EnvironmentSpec spec, int frameSkip, Noise positionNoise, Noise velocityNoise) {
        model = Mujoco.get().model(modelName);
        this.spec = spec;
        this.frameSkip = frameSkip;
        this.positionNoise = positionNoise;
        this.velocityNoise = velocityNoise;
        stepSeconds = frameSkip * model.timestep();
        positions = model.positions();
        velocities = model.velocities();
        reference = model.referencePositions();
        startPositions = new double[positions];
        startVelocities = new double[velocities];
        control = new double[model.controls()];
        observation = new double[spec.observationSize()];
        state = new double[spec.stateSize()];
        simulation = new Simulation(model);
        setState(reference, startVelocities);
    }

    /** Writes the observation, from {@link #state}. */
    abstract void observe(Simulation now, double[] into);

    /** Returns whether the task has ended in this state. */
    abstract boolean terminated(double[] now);

    /** Returns the reward of one step. Of the action it depends on the sum of squares only. */
    abstract double reward(double[] before, double squaredAction, double[] after);

    /** Writes the entries of the state after qpos and qvel. */
    void readExtras(Simulation now, double[] into) {}

    @Override
    public final EnvironmentSpec spec() {
        return spec;
    }

    final MujocoModel model() {
        return model;
    }

    /** Returns the simulated seconds of one environment step. */
    final double stepSeconds() {
        return stepSeconds;
    }

    @Override
    public final void reset(RandomStream random) {
        for (int i = 0; i < positions; i++) {
            startPositions[i] = reference[i] + positionNoise.draw(random);
        }
        for (int i = 0; i < velocities; i++) {
            startVelocities[i] = velocityNoise.draw(random);
        }
        setState(startPositions, startVelocities);
    }

    /** Starts an episode from exactly this state. */
    final void setState(double[] qpos, double[] qvel) {
        simulation.start(qpos, qvel);
        readState();
    }

    @Override
    public final Outcome step(float[] action) {
        requireSize(action.length);
        for (int i = 0; i < control.length; i++) {
            control[i] = action[i];
        }
        return advance();
    }

    final Outcome step(double[] action) {
        requireSize(action.length);
        System.arraycopy(action, 0, control, 0, control.length);
        return advance();
    }

    private void requireSize(int actionSize) {
        if (actionSize != control.length) {
            throw new IllegalArgumentException(
                    "the action has " + actionSize + " entries, the task takes " + control.length);
        }
    }

    private Outcome advance() {
        if (!sound(control, control.length)) {
            return Outcome.DIVERGED;
        }
        simulation.control(control);
        boolean undisturbed = simulation.advance(frameSkip);
        readState();
        if (!undisturbed || !sound(state, positions + velocities)) {
            return Outcome.DIVERGED;
        }
        return terminated(state) ? Outcome.TERMINATED : Outcome.CONTINUES;
    }

    private void readState() {
        simulation.read(state);
        readExtras(simulation, state);
    }

    /** Returns whether MuJoCo accepts the first values; NaN fails every comparison. */
    private static boolean sound(double[] values, int count) {
        for (int i = 0; i < count; i++) {
            if (!(Math.abs(values[i]) <= LARGEST_SOUND)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public final void observation(float[] into) {
        observe(simulation, observation);
        for (int i = 0; i < observation.length; i++) {
            into[i] = (float) observation[i];
        }
    }

    final void observation(double[] into) {
        observe(simulation, into);
    }

    @Override
    public final void state(double[] into) {
        System.arraycopy(state, 0, into, 0, state.length);
    }

    @Override
    public final double reward(double[] before, float[] action, double[] after) {
        double squares = 0;
        for (float each : action) {
            squares += (double) each * each;
        }
        return reward(before, squares, after);
    }

    @Override
    public Optional<Figure> figure() {
        return Optional.of(PlanarFigure.of(model, stepSeconds));
    }

    @Override
    public final void close() {
        simulation.close();
    }
}
