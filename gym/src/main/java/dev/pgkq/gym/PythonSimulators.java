package dev.pgkq.gym;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.gym.PythonException.Problem;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;

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
    /**
     * A frame of so many bytes fits into every pipe. A longer one is sent only if the process owes no answer: while it writes one,
     * it does not read.
     */
    private static final int FITS = 4096;

    /** Where the hello of a process says whether states are its own, and not the observations. */
    private static final int OWN_STATE = 8;

    private static final Outcome[] OUTCOMES = {Outcome.CONTINUES, Outcome.TERMINATED, Outcome.TRUNCATED};

    private final String name;
    private final PythonSettings settings;
    private final boolean rendering;
    private final EnvironmentSpec spec;
    private final boolean ownState;
    private final List<Slot> slots = new ArrayList<>();
    private final Deque<Request> requests = new ArrayDeque<>();
    private int sent;
    private boolean replayed = true;
    private WorkerProcess process;

    /** What the process was asked for, or will be: the oldest so many are sent. */
    private record Request(byte kind, ByteBuffer frame, int[] stepped, float[] actions, int[] started, long[] seeds) {
        static Request of(int[] stepped, float[] actions, int[] started, long[] seeds) {
            int size = 8 + 4 * stepped.length + 4 * actions.length + 12 * started.length;
            ByteBuffer frame =
                    WorkerProcess.littleEndian(size).putInt(stepped.length).putInt(started.length);
            for (int number : stepped) {
                frame.putInt(number);
            }
            for (float value : actions) {
                frame.putFloat(value);
            }
            for (int number : started) {
                frame.putInt(number);
            }
            for (long seed : seeds) {
                frame.putLong(seed);
            }
            return new Request(WorkerProcess.TURN, frame, stepped, actions, started, seeds);
        }

        static Request step(int number, float[] action) {
            return of(new int[] {number}, action, new int[0], new long[0]);
        }

        static Request reset(int[] numbers, long[] seeds) {
            return of(new int[0], new float[0], numbers, seeds);
        }
    }

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

        void requireFinite(String name) {
            for (int i = 0; i < observation.length; i++) {
                if (!Float.isFinite(observation[i])) {
                    throw notFinite(name, "number " + i + " of the observation", observation[i]);
                }
            }
            for (int i = 0; i < state.length; i++) {
                if (!Double.isFinite(state[i])) {
                    throw notFinite(name, i == 0 ? "the reward" : "number " + (i - 1) + " of pgkq_state()", state[i]);
                }
            }
        }

        private PythonException notFinite(String name, String what, double value) {
            String when = steps == 0 ? "after reset" : "after step " + steps;
            String shown = Double.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
            return new PythonException(Problem.FAILURE, name + ": " + what + " is " + shown + " " + when);
        }
    }

    private PythonSimulators(String name, PythonSettings settings, boolean rendering, WorkerProcess process) {
        this.name = name;
        this.settings = settings;
        this.rendering = rendering;
        this.process = process;
        ByteBuffer hello = process.hello();
        this.spec = spec(hello);
        this.ownState = hello.get(OWN_STATE) != 0;
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
        int shown = hello.getInt();
        hello.get();
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
            return new EnvironmentSpec(observationSize, actions, 1 + shown, limit, 1);
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
        return 32;
    }

    /** So that Python has work while Java chooses actions: neither waits for the other to wake up. */
    @Override
    public int parts() {
        return 2;
    }

    @Override
    public void begin(Turn turn) {
        long[] seeds = new long[turn.started().length];
        for (int i = 0; i < seeds.length; i++) {
            // Generators in Python take whole numbers that are not negative; some take no more than 31 bits.
            seeds[i] = turn.random()[i].nextLong() >>> 33;
        }
        begin(Request.of(turn.stepped(), turn.actions(), turn.started(), seeds));
    }

    private void begin(Request request) {
        for (int number : request.started) {
            while (slots.size() <= number) {
                slots.add(new Slot(spec));
            }
            slots.get(number).running = false;
        }
        requests.add(request);
        try {
            send();
        } catch (WorkerDiedException e) {
            // The answer before it, which may say why, has yet to be read.
        }
    }

    /** Sends what has not been sent, unless it is better to wait for an answer. */
    private void send() throws WorkerDiedException {
        Iterator<Request> unsent = requests.stream().skip(sent).iterator();
        while (unsent.hasNext()) {
            Request request = unsent.next();
            if (sent > 0 && request.frame.position() > FITS) {
                return;
            }
            process.send(request.kind, request.frame);
            sent++;
        }
    }

    @Override
    public Outcome[] finish() {
        ByteBuffer answer = answer();
        Request request = requests.remove();
        sent--;
        for (int i = 0; i < request.stepped.length; i++) {
            slots.get(request.stepped[i]).add(request.actions, i, spec.actionSize());
        }
        for (int i = 0; i < request.started.length; i++) {
            Slot slot = slots.get(request.started[i]);
            slot.seed = request.seeds[i];
            slot.steps = 0;
            slot.running = true;
        }
        Outcome[] outcomes = read(request, answer);
        for (int i = 0; i < outcomes.length; i++) {
            slots.get(request.stepped[i]).running = outcomes[i] == Outcome.CONTINUES;
        }
        return outcomes;
    }

    /** Starts episodes from seeds. */
    void reset(int[] numbers, long[] seeds) {
        begin(Request.reset(numbers, seeds));
        finish();
    }

    /** Waits for the oldest answer; replaces the process if it ends instead. */
    private ByteBuffer answer() {
        for (int deaths = 1; ; deaths++) {
            try {
                if (!replayed) {
                    replay();
                    replayed = true;
                }
                if (sent == 0) {
                    send();
                }
                return process.answer();
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
                sent = 0;
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
        requests.add(new Request(WorkerProcess.LOOK, frame, new int[0], new float[0], new int[0], new long[0]));
        ByteBuffer answer = answer();
        requests.remove();
        sent--;
        return answer;
    }

    private void replay() throws WorkerDiedException {
        for (int number = 0; number < slots.size(); number++) {
            Slot slot = slots.get(number);
            if (!slot.running) {
                continue;
            }
            float[] before = slot.observation.clone();
            play(Request.reset(new int[] {number}, new long[] {slot.seed}));
            int size = spec.actionSize();
            for (int t = 0; t < slot.steps; t++) {
                play(Request.step(number, Arrays.copyOfRange(slot.actions, t * size, (t + 1) * size)));
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

    private void play(Request request) throws WorkerDiedException {
        process.send(request.kind, request.frame);
        read(request, process.answer());
    }

    /** Writes into the slots where a turn led: all observations, then all rewards, then all states if they are the environments' own. */
    private Outcome[] read(Request request, ByteBuffer answer) {
        int[] numbers = IntStream.concat(IntStream.of(request.stepped), IntStream.of(request.started))
                .toArray();
        int perSlot = 4 * spec.observationSize() + 8 * (ownState ? spec.stateSize() : 1);
        int expected = numbers.length * perSlot + request.stepped.length;
        if (answer.remaining() != expected) {
            throw new PythonException(
                    Problem.FAILURE,
                    name + ": the worker answered with " + answer.remaining() + " bytes instead of " + expected);
        }
        for (int number : numbers) {
            float[] observation = slots.get(number).observation;
            for (int i = 0; i < observation.length; i++) {
                observation[i] = answer.getFloat();
            }
        }
        for (int number : numbers) {
            slots.get(number).state[0] = answer.getDouble();
        }
        for (int number : numbers) {
            Slot slot = slots.get(number);
            for (int i = 1; i < slot.state.length; i++) {
                slot.state[i] = ownState ? answer.getDouble() : slot.observation[i - 1];
            }
            slot.requireFinite(name);
        }
        for (int number : request.started) {
            slots.get(number).state[0] = slots.get(number).seed;
        }
        Outcome[] outcomes = new Outcome[request.stepped.length];
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
