package dev.pgkq.benchmarks;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.env.Task;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Environments in worker processes that take random steps, without a policy. The actions are drawn beforehand. */
final class BridgeSteps implements AutoCloseable {
    private static final int FRAMES_OF_ACTIONS = 100;

    private final Workers workers;
    private final List<Simulators> groups = new ArrayList<>();
    private final List<List<Part>> parts = new ArrayList<>();
    private final List<float[]> actions = new ArrayList<>();
    private final int limit;
    /** How many steps too many each process has taken: its turns are of several steps. */
    private final int[] ahead;

    private long episodes;

    /** Environments that take their turns together, and which of them continue or have to be started. */
    private static final class Part {
        final int[] length;
        int[] stepped = {};
        int[] started;

        Part(int[] slots, int all) {
            started = slots;
            length = new int[all];
        }

        void finished(Outcome[] outcomes, int limit) {
            int[] before = stepped;
            IntPredicate ends = i -> ++length[before[i]] == limit || outcomes[i] != Outcome.CONTINUES;
            int[] ended = IntStream.range(0, before.length)
                    .filter(ends)
                    .map(i -> before[i])
                    .toArray();
            stepped = IntStream.concat(
                            IntStream.of(before)
                                    .filter(slot -> IntStream.of(ended).noneMatch(other -> other == slot)),
                            IntStream.of(started).peek(slot -> length[slot] = 0))
                    .toArray();
            started = ended;
        }
    }

    /** Starts a process for every worker, with as many environments as training has in it. */
    BridgeSteps(Task task, Workers workers) {
        this.workers = workers;
        this.ahead = new int[workers.count()];
        for (int w = 0; w < workers.count(); w++) {
            Simulators group = task.openGroup();
            int all = group.together();
            int size = Math.ceilDiv(all, group.parts());
            List<Part> own = new ArrayList<>();
            for (int from = 0; from < all; from += size) {
                own.add(new Part(
                        IntStream.range(from, Math.min(from + size, all)).toArray(), all));
            }
            groups.add(group);
            parts.add(own);
        }
        EnvironmentSpec spec = groups.getFirst().spec();
        limit = spec.maxSteps();
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int f = 0; f < FRAMES_OF_ACTIONS; f++) {
            actions.add(frame(spec, groups.getFirst().together(), random));
        }
    }

    private static float[] frame(EnvironmentSpec spec, int environments, RandomStream random) {
        float[] frame = new float[environments * spec.actionSize()];
        for (int i = 0; i < frame.length; i++) {
            int entry = i % spec.actionSize();
            frame[i] = switch (spec.actions()) {
                case ActionSpace.Box box -> (float) random.uniform(box.low()[entry], box.high()[entry]);
                case ActionSpace.Discrete discrete -> random.nextInt(discrete.categories()[entry]);
            };
        }
        return frame;
    }

    private synchronized RandomStream nextEpisode() {
        return RandomStream.of(1, Purpose.CHECK, ++episodes);
    }

    private void begin(Simulators group, Part part, int turn) {
        float[] frame = actions.get(turn % FRAMES_OF_ACTIONS);
        int size = part.stepped.length * group.spec().actionSize();
        RandomStream[] streams = new RandomStream[part.started.length];
        for (int i = 0; i < streams.length; i++) {
            streams[i] = nextEpisode();
        }
        group.begin(new Simulators.Turn(part.stepped, Arrays.copyOf(frame, size), part.started, streams));
    }

    /** Takes so many steps in every process, on the average of all calls. Episodes that end are followed by others. */
    void run(int steps) {
        workers.run(workers.count(), (worker, share) -> {
            Simulators group = groups.get(share);
            Queue<Part> begun = new ArrayDeque<>();
            int turn = 0;
            int taken = ahead[share];
            for (Part part : parts.get(share)) {
                begin(group, part, turn++);
                begun.add(part);
                taken += part.stepped.length;
            }
            while (!begun.isEmpty()) {
                Part part = begun.remove();
                part.finished(group.finish(), limit);
                if (taken < steps) {
                    begin(group, part, turn++);
                    begun.add(part);
                    taken += part.stepped.length;
                }
            }
            ahead[share] = taken - steps;
        });
    }

    @Override
    public void close() {
        groups.forEach(Simulators::close);
    }
}
