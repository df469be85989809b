package dev.pgkq.episode;

import dev.pgkq.env.EnvironmentSpec;
import java.util.Arrays;

/** Records the steps of one episode after another. Its arrays grow to the longest episode and are reused. */
final class EpisodeRecorder {
    private static final int FIRST_CAPACITY = 64;

    private final EnvironmentSpec spec;
    private final double[] state;
    private final float[] finalObservation;
    private int length;
    private float[] observations = {};
    private float[] actions = {};
    private float[] logProbs = {};
    private double[] states = {};

    EpisodeRecorder(EnvironmentSpec spec) {
        this.spec = spec;
        this.state = new double[spec.stateSize()];
        this.finalObservation = new float[spec.observationSize()];
    }

    /** Returns the buffer for the simulator's state, to be filled before {@link #start} and {@link #complete}. */
    double[] state() {
        return state;
    }

    /** Returns the buffer for the observation after the last step, to be filled before a truncated episode's {@link #finish}. */
    float[] finalObservation() {
        return finalObservation;
    }

    int length() {
        return length;
    }

    void start() {
        length = 0;
        reserve();
        System.arraycopy(state, 0, states, 0, state.length);
    }

    /** Records observation, action and log-probability of a step. The step counts once it is {@link #complete}. */
    void begin(float[] observation, int offset, float[] action, int actionOffset, double logProb) {
        reserve();
        int seen = spec.observationSize();
        int acted = spec.encodedActionSize();
        System.arraycopy(observation, offset, observations, length * seen, seen);
        System.arraycopy(action, actionOffset, actions, length * acted, acted);
        logProbs[length] = (float) logProb;
    }

    /** Completes the step, which led to {@link #state}. */
    void complete() {
        length++;
        System.arraycopy(state, 0, states, length * state.length, state.length);
    }

    Episode finish(int iteration, int index, Ending ending) {
        return new Episode(
                iteration,
                index,
                length,
                Arrays.copyOf(observations, length * spec.observationSize()),
                Arrays.copyOf(actions, length * spec.encodedActionSize()),
                Arrays.copyOf(logProbs, length),
                Arrays.copyOf(states, (length + 1) * spec.stateSize()),
                ending == Ending.TRUNCATED ? finalObservation.clone() : new float[0],
                ending);
    }

    private void reserve() {
        if (length < logProbs.length) {
            return;
        }
        int capacity = Math.min(spec.maxSteps(), Math.max(FIRST_CAPACITY, 2 * length));
        observations = Arrays.copyOf(observations, capacity * spec.observationSize());
        actions = Arrays.copyOf(actions, capacity * spec.encodedActionSize());
        logProbs = Arrays.copyOf(logProbs, capacity);
        states = Arrays.copyOf(states, (capacity + 1) * spec.stateSize());
    }
}
