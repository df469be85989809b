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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The simulators of one worker, stepped together. Where simulators run in another process they come in parts: while the process steps
 * one part, actions are chosen for the other, so that neither waits. What happens to an episode does not depend on its part.
 */
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

    /** Slots that take their turns together. */
    private static final class Part {
        final List<Slot> playing = new ArrayList<>();
        final List<Slot> starting = new ArrayList<>();
        final Policy.Batch batch;
        final RandomStream[] streams;

        Part(Policy policy, int size) {
            batch = policy.batch(size);
            streams = new RandomStream[size];
        }

        boolean isOver() {
            return playing.isEmpty() && starting.isEmpty();
        }
    }

    private void play(Policy policy, int iteration, int atOnce, int first, AtomicInteger next, Episode[] into) {
        while (slots.size() < atOnce) {
            slots.add(new Slot(slots.size(), spec));
        }
        int parts = Math.min(simulators.parts(), atOnce);
        int size = Math.ceilDiv(atOnce, parts);
        Queue<Part> waiting = new ArrayDeque<>();
        for (int from = 0; from < atOnce; from += size) {
            Part part = new Part(policy, size);
            for (Slot slot : slots.subList(from, Math.min(from + size, atOnce))) {
                if (take(slot, iteration, first, next, into.length)) {
                    part.starting.add(slot);
                }
            }
            begin(part, policy, iteration, waiting);
        }
        while (!waiting.isEmpty()) {
            Part part = waiting.remove();
            Outcome[] outcomes = simulators.finish();
            List<Slot> started = List.copyOf(part.starting);
            part.starting.clear();
            for (int i = outcomes.length - 1; i >= 0; i--) {
                Slot slot = part.playing.get(i);
                Ending ending = record(slot, outcomes[i], iteration);
                if (ending != null) {
                    into[slot.index - first] = slot.recorder.finish(iteration, slot.index, ending);
                    // The last one takes the place of one that is over. Its own outcome has been recorded.
                    Collections.swap(part.playing, i, part.playing.size() - 1);
                    part.playing.removeLast();
                    if (take(slot, iteration, first, next, into.length)) {
                        part.starting.add(slot);
                    }
                }
            }
            for (Slot slot : started) {
                simulators.state(slot.number, slot.recorder.state());
                slot.recorder.start();
                part.playing.add(slot);
            }
            begin(part, policy, iteration, waiting);
        }
    }

    /** Asks for the next turn of a part, unless it has no episodes left. */
    private void begin(Part part, Policy policy, int iteration, Queue<Part> waiting) {
        if (part.isOver()) {
            return;
        }
        decide(policy, part, iteration);
        RandomStream[] resets = part.starting.stream()
                .map(slot -> RandomStream.of(seed, mode.reset, iteration, slot.index))
                .toArray(RandomStream[]::new);
        simulators.begin(new Simulators.Turn(numbers(part.playing), actions(part), numbers(part.starting), resets));
        waiting.add(part);
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

    private static int[] numbers(List<Slot> slots) {
        int[] numbers = new int[slots.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = slots.get(i).number;
        }
        return numbers;
    }

    private void decide(Policy policy, Part part, int iteration) {
        int live = part.playing.size();
        if (live == 0) {
            return;
        }
        for (int i = 0; i < live; i++) {
            Slot slot = part.playing.get(i);
            simulators.observation(slot.number, observation);
            requireFinite(slot, iteration);
            System.arraycopy(observation, 0, part.batch.observations(), i * observation.length, observation.length);
            part.streams[i] = slot.actions;
        }
        switch (mode) {
            case TRAINING -> policy.draw(part.batch, live, part.streams);
            case EVALUATION -> policy.act(part.batch, live);
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

    /** Records the actions that were chosen, and returns them as the environment takes them. */
    private float[] actions(Part part) {
        Policy.Batch batch = part.batch;
        float[] actions = new float[part.playing.size() * action.length];
        for (int row = 0; row < part.playing.size(); row++) {
            part.playing
                    .get(row)
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
        return actions;
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
