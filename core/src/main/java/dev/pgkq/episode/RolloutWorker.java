package dev.pgkq.episode;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.policy.GaussianPolicy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The simulators of one worker, stepped side by side. */
final class RolloutWorker implements AutoCloseable {
    private final Slot[] slots;
    private final EnvironmentSpec spec;
    private final long seed;
    private final RolloutMode mode;
    private final float[] observation;
    private final float[] action;
    private final RandomStream[] streams;

    RolloutWorker(Environment[] simulators, long seed, RolloutMode mode) {
        this.spec = simulators[0].spec();
        this.slots = new Slot[simulators.length];
        for (int i = 0; i < slots.length; i++) {
            slots[i] = new Slot(simulators[i], new EpisodeRecorder(spec));
        }
        this.seed = seed;
        this.mode = mode;
        this.observation = new float[spec.observationSize()];
        this.action = new float[spec.actionSize()];
        this.streams = new RandomStream[slots.length];
    }

    /** One simulator and the episode it is in. */
    private static final class Slot {
        final Environment simulator;
        final EpisodeRecorder recorder;
        RandomStream actions = RandomStream.of(0, Purpose.ACTION);
        int index;

        Slot(Environment simulator, EpisodeRecorder recorder) {
            this.simulator = simulator;
            this.recorder = recorder;
        }
    }

    /** Takes episodes from {@code next} until there are none left, and puts them where they belong. */
    void run(GaussianPolicy policy, int iteration, AtomicInteger next, Episode[] into) {
        GaussianPolicy.Batch batch = policy.batch(slots.length);
        int live = 0;
        while (live < slots.length && begin(slots[live], iteration, next, into.length)) {
            live++;
        }
        while (live > 0) {
            decide(policy, batch, live);
            // Backwards, so that the last live slot can take the place of one that is done.
            for (int i = live - 1; i >= 0; i--) {
                Ending ending = step(slots[i], batch, i);
                if (ending != null) {
                    Slot done = slots[i];
                    into[done.index] = done.recorder.finish(iteration, done.index, ending);
                    if (!begin(done, iteration, next, into.length)) {
                        live--;
                        slots[i] = slots[live];
                        slots[live] = done;
                    }
                }
            }
        }
    }

    private boolean begin(Slot slot, int iteration, AtomicInteger next, int count) {
        int index = next.getAndIncrement();
        if (index >= count) {
            return false;
        }
        slot.index = index;
        slot.actions = RandomStream.of(seed, Purpose.ACTION, iteration, index);
        slot.simulator.reset(RandomStream.of(seed, mode.reset, iteration, index));
        slot.simulator.state(slot.recorder.state());
        slot.recorder.start();
        return true;
    }

    private void decide(GaussianPolicy policy, GaussianPolicy.Batch batch, int live) {
        for (int i = 0; i < live; i++) {
            slots[i].simulator.observation(observation);
            System.arraycopy(observation, 0, batch.observations(), i * observation.length, observation.length);
            streams[i] = slots[i].actions;
        }
        switch (mode) {
            case TRAINING -> policy.draw(batch, live, streams);
            case EVALUATION -> policy.act(batch, live);
        }
    }

    /** Steps a simulator with the action of its row; how the episode ended, or null while it goes on. */
    private @Nullable Ending step(Slot slot, GaussianPolicy.Batch batch, int row) {
        EpisodeRecorder recorder = slot.recorder;
        recorder.begin(
                batch.observations(),
                row * observation.length,
                batch.actions(),
                row * action.length,
                batch.logProbs()[row]);
        spec.toEnvironment(batch.actions(), row * action.length, action);
        Outcome outcome = slot.simulator.step(action);
        if (outcome == Outcome.DIVERGED) {
            return Ending.DIVERGED;
        }
        slot.simulator.state(recorder.state());
        recorder.complete();
        if (outcome == Outcome.TERMINATED) {
            return Ending.TERMINATED;
        }
        return recorder.length() == spec.maxSteps() ? Ending.TRUNCATED : null;
    }

    @Override
    public void close() {
        for (Slot slot : slots) {
            slot.simulator.close();
        }
    }
}
