package dev.pgkq.episode;

import dev.pgkq.env.Environment;
import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Task;
import dev.pgkq.env.TaskFailureException;
import dev.pgkq.policy.Policy;
import dev.pgkq.random.Purpose;
import dev.pgkq.random.RandomStream;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** The simulators of one worker, stepped side by side. */
final class RolloutWorker implements AutoCloseable {
    private final Task task;
    private final List<Slot> slots = new ArrayList<>();
    private final EnvironmentSpec spec;
    private final long seed;
    private final RolloutMode mode;
    private final float[] observation;
    private final float[] action;

    RolloutWorker(Task task, long seed, RolloutMode mode) {
        this.task = task;
        this.seed = seed;
        this.mode = mode;
        slots.add(new Slot(task));
        this.spec = slots.getFirst().simulator.spec();
        this.observation = new float[spec.observationSize()];
        this.action = new float[spec.actionSize()];
    }

    /** One simulator and its current episode. */
    private static final class Slot {
        final Environment simulator;
        final EpisodeRecorder recorder;
        RandomStream actions = RandomStream.of(0, Purpose.ACTION);
        int index;

        Slot(Task task) {
            simulator = task.open();
            recorder = new EpisodeRecorder(simulator.spec());
        }
    }

    /**
     * Samples episodes until none are left.
     *
     * @param first index of the episode that {@code into[0]} receives
     * @param next counts the episodes that have been started by any worker
     * @param into receives the episodes
     */
    void run(Policy policy, int iteration, int atOnce, int first, AtomicInteger next, Episode[] into) {
        try {
            play(policy, iteration, atOnce, first, next, into);
        } catch (UserException e) {
            throw e;
        } catch (RuntimeException e) {
            StackTraceElement[] trace = e.getStackTrace();
            throw new TaskFailureException(
                    task,
                    "sampling " + task.id() + " failed in iteration " + iteration + ": " + e
                            + (trace.length == 0 ? "" : " at " + trace[0]),
                    e);
        }
    }

    private void play(Policy policy, int iteration, int atOnce, int first, AtomicInteger next, Episode[] into) {
        while (slots.size() < atOnce) {
            slots.add(new Slot(task));
        }
        Policy.Batch batch = policy.batch(atOnce);
        RandomStream[] streams = new RandomStream[atOnce];
        int live = 0;
        while (live < atOnce && begin(slots.get(live), iteration, first, next, into.length)) {
            live++;
        }
        while (live > 0) {
            decide(policy, batch, streams, live, iteration);
            // Backwards, so that the last live slot can take the place of a finished one.
            for (int i = live - 1; i >= 0; i--) {
                Slot slot = slots.get(i);
                Ending ending = step(slot, batch, i, iteration);
                if (ending != null) {
                    into[slot.index - first] = slot.recorder.finish(iteration, slot.index, ending);
                    if (!begin(slot, iteration, first, next, into.length)) {
                        live--;
                        Collections.swap(slots, i, live);
                    }
                }
            }
        }
    }

    private boolean begin(Slot slot, int iteration, int first, AtomicInteger next, int count) {
        int taken = next.getAndIncrement();
        if (taken >= count) {
            return false;
        }
        int index = first + taken;
        slot.index = index;
        slot.actions = RandomStream.of(seed, Purpose.ACTION, iteration, index);
        slot.simulator.reset(RandomStream.of(seed, mode.reset, iteration, index));
        slot.simulator.state(slot.recorder.state());
        slot.recorder.start();
        return true;
    }

    private void decide(Policy policy, Policy.Batch batch, RandomStream[] streams, int live, int iteration) {
        for (int i = 0; i < live; i++) {
            Slot slot = slots.get(i);
            slot.simulator.observation(observation);
            requireFinite(slot, iteration);
            System.arraycopy(observation, 0, batch.observations(), i * observation.length, observation.length);
            streams[i] = slot.actions;
        }
        switch (mode) {
            case TRAINING -> policy.draw(batch, live, streams);
            case EVALUATION -> policy.act(batch, live);
        }
    }

    private void requireFinite(Slot slot, int iteration) {
        for (int i = 0; i < observation.length; i++) {
            if (!Float.isFinite(observation[i])) {
                throw new TaskFailureException(
                        task,
                        "observation " + i + " of " + task.id() + " is " + observation[i] + " at step "
                                + slot.recorder.length() + " of episode " + slot.index + ", iteration " + iteration
                                + ": a simulation that diverges must report Outcome.DIVERGED");
            }
        }
    }

    /** Steps a simulator with the action of its row. Returns how the episode ended, or null if it continues. */
    private @Nullable Ending step(Slot slot, Policy.Batch batch, int row, int iteration) {
        EpisodeRecorder recorder = slot.recorder;
        recorder.begin(
                batch.observations(),
                row * observation.length,
                batch.actions(),
                row * spec.encodedActionSize(),
                batch.logProbs()[row]);
        spec.toEnvironment(batch.actions(), row * spec.encodedActionSize(), action);
        Outcome outcome = slot.simulator.step(action);
        if (outcome == Outcome.DIVERGED) {
            return Ending.DIVERGED;
        }
        slot.simulator.state(recorder.state());
        recorder.complete();
        if (outcome == Outcome.TERMINATED) {
            return Ending.TERMINATED;
        }
        if (recorder.length() < spec.maxSteps()) {
            return null;
        }
        slot.simulator.observation(observation);
        requireFinite(slot, iteration);
        System.arraycopy(observation, 0, recorder.finalObservation(), 0, observation.length);
        return Ending.TRUNCATED;
    }

    @Override
    public void close() {
        for (Slot slot : slots) {
            slot.simulator.close();
        }
    }
}
