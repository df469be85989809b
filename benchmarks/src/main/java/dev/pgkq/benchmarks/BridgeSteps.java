package dev.pgkq.benchmarks;

import dev.pgkq.env.ActionSpace;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
import dev.pgkq.env.Task;
import dev.pgkq.parallel.Workers;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Environments in worker processes that take random steps, without a policy. The actions are drawn beforehand. */
final class BridgeSteps implements AutoCloseable {
    private static final int FRAMES_OF_ACTIONS = 100;

    private final Workers workers;
    private final List<Simulators> groups = new ArrayList<>();
    private final List<float[]> actions = new ArrayList<>();
    private final List<int[]> lengths = new ArrayList<>();
    private final int[] all;
    private final int limit;
    private long episodes;

    /** Starts a process for every worker, with as many environments as training has in it. */
    BridgeSteps(Task task, Workers workers) {
        this.workers = workers;
        for (int w = 0; w < workers.count(); w++) {
            groups.add(task.openGroup());
        }
        Simulators first = groups.getFirst();
        limit = first.spec().maxSteps();
        all = IntStream.range(0, first.together()).toArray();
        groups.forEach(group -> lengths.add(new int[all.length]));
        groups.forEach(group -> reset(group, all));
        RandomStream random = RandomStream.of(1, Purpose.CHECK);
        for (int f = 0; f < FRAMES_OF_ACTIONS; f++) {
            actions.add(frame(first.spec(), all.length, random));
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

    private void reset(Simulators group, int[] slots) {
        RandomStream[] streams = new RandomStream[slots.length];
        for (int i = 0; i < slots.length; i++) {
            streams[i] = nextEpisode();
        }
        group.reset(slots, streams);
    }

    /** Takes at least as many steps in every process. Episodes that end are followed by others. */
    void run(int steps) {
        workers.run(workers.count(), (worker, share) -> {
            Simulators group = groups.get(share);
            int[] length = lengths.get(share);
            for (int t = 0; t * all.length < steps; t++) {
                Outcome[] outcomes = group.step(all, actions.get(t % FRAMES_OF_ACTIONS));
                int[] ended = IntStream.range(0, all.length)
                        .filter(i -> ++length[i] == limit || outcomes[i] != Outcome.CONTINUES)
                        .toArray();
                if (ended.length > 0) {
                    IntStream.of(ended).forEach(i -> length[i] = 0);
                    reset(group, ended);
                }
            }
        });
    }

    @Override
    public void close() {
        groups.forEach(Simulators::close);
    }
}
