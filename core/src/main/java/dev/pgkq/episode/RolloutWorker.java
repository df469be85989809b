package dev.pgkq.episode;

import dev.pgkq.env.EnvironmentSpec;
import dev.pgkq.env.Outcome;
import dev.pgkq.env.Simulators;
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

/** The simulators of one worker, stepped together. */
final class RolloutWorker implements AutoCloseable {
    private final Task task;
    private final Simulators simulators;
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
        this.simulators = task.openGroup();
        this.spec = simulators.spec();
        this.observation = new float[spec.observationSize()];
        this.action = new float[spec.actionSize()];
    }

    /** One simulator and its current episode. */
    private static final class Slot {
        final int number;
        final EpisodeRecorder recorder;
        RandomStream actions = RandomStream.of(0, Purpose.ACTION);
        int index;

        Slot(int number, EnvironmentSpec spec) {
            this.number = number;
            this.recorder = new EpisodeRecorder(spec);
        }
    }

    /**
     * Samples episodes until none are left.
     *
     * @param most how many simulators to run side by side at most
     * @param first index of the episode that {@code into[0]} receives
     * @param next counts the episodes that have been started by any worker
     * @param into receives the episodes
     */
    void run(Policy policy, int iteration, int most, int first, AtomicInteger next, Episode[] into) {
        try {
            play(policy, iteration, Math.min(simulators.together(), most), first, next, into);
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
            slots.add(new Slot(slots.size(), spec));
        }
        Policy.Batch batch = policy.batch(atOnce);
        RandomStream[] streams = new RandomStream[atOnce];
        List<Slot> starting = new ArrayList<>();
        int live = 0;
        while (live < atOnce && take(slots.get(live), iteration, first, next, into.length)) {
            starting.add(slots.get(live));
            live++;
        }
        start(starting, iteration);
        while (live > 0) {
            decide(policy, batch, streams, live, iteration);
            Outcome[] outcomes = step(batch, live);
            starting.clear();
            // Backwards, so that the last live slot can take the place of a finished one.
            for (int i = live - 1; i >= 0; i--) {
                Slot slot = slots.get(i);
                Ending ending = record(slot, outcomes[i], iteration);
                if (ending != null) {
                    into[slot.index - first] = slot.recorder.finish(iteration, slot.index, ending);
                    if (take(slot, iteration, first, next, into.length)) {
                        starting.add(slot);
                    } else {
                        live--;
                        Collections.swap(slots, i, live);
                    }
                }
            }
            start(starting, iteration);
        }
    }

    /** Gives a slot the next episode that has not been started. Returns false if there is none. */
    private boolean take(Slot slot, int iteration, int first, AtomicInteger next, int count) {
        int taken = next.getAndIncrement();
        if (taken >= count) {
            return false;
        }
        slot.index = first + taken;
        slot.actions = RandomStream.of(seed, Purpose.ACTION, iteration, slot.index);
        return true;
    }

    private void start(List<Slot> starting, int iteration) {
        if (starting.isEmpty()) {
            return;
        }
        simulators.reset(
                numbers(starting),
                starting.stream()
                        .map(slot -> RandomStream.of(seed, mode.reset, iteration, slot.index))
                        .toArray(RandomStream[]::new));
        for (Slot slot : starting) {
            simulators.state(slot.number, slot.recorder.state());
            slot.recorder.start();
        }
    }

    private static int[] numbers(List<Slot> slots) {
        int[] numbers = new int[slots.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = slots.get(i).number;
        }
        return numbers;
    }

    private void decide(Policy policy, Policy.Batch batch, RandomStream[] streams, int live, int iteration) {
        for (int i = 0; i < live; i++) {
            Slot slot = slots.get(i);
            simulators.observation(slot.number, observation);
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

    /** Steps the first {@code live} slots with the actions of their rows. */
    private Outcome[] step(Policy.Batch batch, int live) {
        float[] actions = new float[live * action.length];
        for (int row = 0; row < live; row++) {
            slots.get(row)
                    .recorder
                    .begin(
                            batch.observations(),
                            row * observation.length,
                            batch.actions(),
                            row * spec.encodedActionSize(),
                            batch.logProbs()[row]);
            spec.toEnvironment(batch.actions(), row * spec.encodedActionSize(), action);
            System.arraycopy(action, 0, actions, row * action.length, action.length);
        }
        return simulators.step(numbers(slots.subList(0, live)), actions);
    }

    /** Records what a step led to. Returns how the episode ended, or null if it continues. */
    private @Nullable Ending record(Slot slot, Outcome outcome, int iteration) {
        EpisodeRecorder recorder = slot.recorder;
        if (outcome == Outcome.DIVERGED) {
            return Ending.DIVERGED;
        }
        simulators.state(slot.number, recorder.state());
        recorder.complete();
        if (outcome == Outcome.TERMINATED) {
            return Ending.TERMINATED;
        }
        if (outcome != Outcome.TRUNCATED && recorder.length() < spec.maxSteps()) {
            return null;
        }
        simulators.observation(slot.number, observation);
        requireFinite(slot, iteration);
        System.arraycopy(observation, 0, recorder.finalObservation(), 0, observation.length);
        return Ending.TRUNCATED;
    }

    @Override
    public void close() {
        simulators.close();
    }
}
