package dev.pgkq.gym;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.gym.PythonException.Problem;
import dev.pgkq.random.RandomStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The environments of one worker process.
 *
 * <p>A process that ends is replaced. Its episodes are functions of their seeds and actions, so they are played again up to
 * where they were, and must then be there again to the last bit.
 *
 * <p>The state of a simulator is the reward of the step that led to it, or the seed after a reset, followed by what may be shown.
 */
final class PythonSimulators implements Simulators {
    /** How often a process may end at the same request. */
    private static final int MOST_DEATHS = 3;

    private static final Outcome[] OUTCOMES = {Outcome.CONTINUES, Outcome.TERMINATED, Outcome.TRUNCATED};

    private final String name;
    private final PythonSettings settings;
    private final boolean rendering;
    private final EnvironmentSpec spec;
    private final List<Slot> slots = new ArrayList<>();
    private WorkerProcess process;

    /** One environment: where it is, and how it came there. */
    private static final class Slot {
        final float[] observation;
        final double[] state;
        long seed;
        float[] actions = {};
        int steps;
        boolean running;

        Slot(EnvironmentSpec spec) {
            observation = new float[spec.observationSize()];
            state = new double[spec.stateSize()];
        }

        void add(float[] from, int row, int size) {
            if ((steps + 1) * size > actions.length) {
                actions = Arrays.copyOf(actions, Math.max(64 * size, 2 * actions.length));
            }
            System.arraycopy(from, row * size, actions, steps * size, size);
            steps++;
        }
    }

    private PythonSimulators(String name, PythonSettings settings, boolean rendering, WorkerProcess process) {
        this.name = name;
        this.settings = settings;
        this.rendering = rendering;
        this.process = process;
        this.spec = spec(process.hello());
    }

    static PythonSimulators open(String name, PythonSettings settings) {
        return open(name, settings, false);
    }

    /** Opens environments that draw pictures, if they can and it is wanted. */
    static PythonSimulators open(String name, PythonSettings settings, boolean rendering) {
        WorkerProcess process = WorkerProcess.start(name, settings, rendering);
        try {
            return new PythonSimulators(name, settings, rendering, process);
        } catch (RuntimeException e) {
            process.close();
            throw e;
        }
    }

    private EnvironmentSpec spec(ByteBuffer hello) {
        int observationSize = hello.getInt();
        int stateSize = hello.getInt();
        int ownLimit = hello.getInt();
        int limit = settings.timeLimit() > 0
                ? settings.timeLimit()
                : ownLimit > 0 ? ownLimit : PythonSettings.DEFAULT_TIME_LIMIT;
        boolean isBox = hello.get() == 0;
        int size = hello.getInt();
        try {
            ActionSpace actions = isBox
                    ? new ActionSpace.Box(floats(hello, size), floats(hello, size))
                    : new ActionSpace.Discrete(ints(hello, size));
            return new EnvironmentSpec(observationSize, actions, stateSize, limit, 1);
        } catch (IllegalArgumentException e) {
            throw new PythonException(Problem.ENVIRONMENT, name + ": its spaces cannot be used: " + e.getMessage(), e);
        }
    }

    private static float[] floats(ByteBuffer from, int size) {
        float[] values = new float[size];
        for (int i = 0; i < size; i++) {
            values[i] = from.getFloat();
        }
        return values;
    }

    private static int[] ints(ByteBuffer from, int size) {
        int[] values = new int[size];
        for (int i = 0; i < size; i++) {
            values[i] = from.getInt();
        }
        return values;
    }

    @Override
    public EnvironmentSpec spec() {
        return spec;
    }

    /** More than in Java, because every call is a message to another process and back. */
    @Override
    public int together() {
        return 16;
    }

    @Override
    public void reset(int[] numbers, RandomStream[] random) {
        long[] seeds = new long[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            // Generators in Python take whole numbers that are not negative; some take no more than 31 bits.
            seeds[i] = random[i].nextLong() >>> 33;
        }
        reset(numbers, seeds);
    }

    /** Starts episodes from seeds. */
    void reset(int[] numbers, long[] seeds) {
        for (int i = 0; i < numbers.length; i++) {
            while (slots.size() <= numbers[i]) {
                slots.add(new Slot(spec));
            }
            slots.get(numbers[i]).running = false;
        }
        read(numbers, checked(ask(WorkerProcess.RESET, resetFrame(numbers, seeds)), numbers.length));
        for (int i = 0; i < numbers.length; i++) {
            Slot slot = slots.get(numbers[i]);
            slot.seed = seeds[i];
            slot.state[0] = seeds[i];
            slot.steps = 0;
            slot.running = true;
        }
    }

    @Override
    public Outcome[] step(int[] numbers, float[] actions) {
        ByteBuffer answer = checked(ask(WorkerProcess.STEP, stepFrame(numbers, actions)), numbers.length);
        Outcome[] outcomes = read(numbers, answer);
        for (int i = 0; i < numbers.length; i++) {
            Slot slot = slots.get(numbers[i]);
            slot.add(actions, i, spec.actionSize());
            slot.running = outcomes[i] == Outcome.CONTINUES;
        }
        return outcomes;
    }

    private static ByteBuffer resetFrame(int[] numbers, long[] seeds) {
        ByteBuffer frame = WorkerProcess.littleEndian(4 + 12 * numbers.length);
        frame.putInt(numbers.length);
        for (int number : numbers) {
            frame.putInt(number);
        }
        for (long seed : seeds) {
            frame.putLong(seed);
        }
        return frame;
    }

    private static ByteBuffer stepFrame(int[] numbers, float[] actions) {
        ByteBuffer frame = WorkerProcess.littleEndian(4 + 4 * numbers.length + 4 * actions.length);
        frame.putInt(numbers.length);
        for (int number : numbers) {
            frame.putInt(number);
        }
        for (float value : actions) {
            frame.putFloat(value);
        }
        return frame;
    }

    /** Asks the process; replaces it if it ends instead of answering. */
    private ByteBuffer ask(byte kind, ByteBuffer frame) {
        boolean replayed = true;
        for (int deaths = 1; ; deaths++) {
            try {
                if (!replayed) {
                    replay();
                    replayed = true;
                }
                return process.ask(kind, frame);
            } catch (WorkerDiedException e) {
                if (deaths == MOST_DEATHS) {
                    throw process.tooManyDeaths(e, deaths);
                }
                process.close();
                process = WorkerProcess.start(name, settings, rendering);
                process.note(e.getMessage() + "; started another one");
                if (!spec(process.hello()).equals(spec)) {
                    throw new PythonException(
                            Problem.FAILURE, name + ": a second process has other spaces than the first");
                }
                replayed = false;
            }
        }
    }

    /**
     * What a simulator says and shows now.
     *
     * @return steps per second, float64; the length of a JSON object, int32; this object; and, to the end, a PNG file
     */
    ByteBuffer look(int number, boolean says, boolean shows) {
        slots.get(number).running = true; // a process that ends now has to play this episode again, even if it is over
        ByteBuffer frame = WorkerProcess.littleEndian(6).putInt(number);
        frame.put((byte) (says ? 1 : 0)).put((byte) (shows ? 1 : 0));
        return ask(WorkerProcess.LOOK, frame);
    }

    private ByteBuffer checked(ByteBuffer answer, int count) {
        int expected = count * (4 * spec.observationSize() + 8 * spec.stateSize() + 1);
        if (answer.remaining() != expected) {
            throw new PythonException(
                    Problem.FAILURE,
                    name + ": the worker answered with " + answer.remaining() + " bytes instead of " + expected);
        }
        return answer;
    }

    private void replay() throws WorkerDiedException {
        float[] action = new float[spec.actionSize()];
        for (int number = 0; number < slots.size(); number++) {
            Slot slot = slots.get(number);
            if (!slot.running) {
                continue;
            }
            int[] only = {number};
            float[] before = slot.observation.clone();
            ByteBuffer last = checked(process.ask(WorkerProcess.RESET, resetFrame(only, new long[] {slot.seed})), 1);
            for (int t = 0; t < slot.steps; t++) {
                System.arraycopy(slot.actions, t * action.length, action, 0, action.length);
                last = checked(process.ask(WorkerProcess.STEP, stepFrame(only, action)), 1);
            }
            read(only, last);
            if (slot.steps == 0) {
                slot.state[0] = slot.seed;
            }
            if (!Arrays.equals(before, slot.observation)) {
                throw new PythonException(
                        Problem.FAILURE,
                        name + ": a worker process ended, and its episode played again from its seed gave other"
                                + " observations: the environment must draw all its random numbers from the seed given"
                                + " to reset");
            }
        }
    }

    private Outcome[] read(int[] numbers, ByteBuffer answer) {
        for (int number : numbers) {
            float[] observation = slots.get(number).observation;
            answer.asFloatBuffer().get(observation);
            answer.position(answer.position() + 4 * observation.length);
        }
        for (int number : numbers) {
            double[] state = slots.get(number).state;
            answer.asDoubleBuffer().get(state);
            answer.position(answer.position() + 8 * state.length);
        }
        Outcome[] outcomes = new Outcome[numbers.length];
        for (int i = 0; i < outcomes.length; i++) {
            outcomes[i] = OUTCOMES[answer.get()];
        }
        return outcomes;
    }

    @Override
    public void observation(int slot, float[] into) {
        float[] observation = slots.get(slot).observation;
        System.arraycopy(observation, 0, into, 0, observation.length);
    }

    @Override
    public void state(int slot, double[] into) {
        double[] state = slots.get(slot).state;
        System.arraycopy(state, 0, into, 0, state.length);
    }

    /** The process, for tests that end it. */
    long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        process.close();
    }
}
