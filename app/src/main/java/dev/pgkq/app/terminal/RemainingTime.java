package dev.pgkq.app.terminal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How long a run will still take, from the mean time of its last iterations: episodes grow longer as a policy learns, so
 * the mean of all would be too hopeful.
 */
final class RemainingTime {
    private static final int WINDOW = 20;

    private record Mark(int iteration, long nanos) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private final long startNanos;

    RemainingTime(long startNanos) {
        this.startNanos = startNanos;
    }

    void done(int iteration, long nanos) {
        if (marks.isEmpty()) {
            // A resumed run begins at any iteration; the one before ended, at the latest, when this began.
            marks.add(new Mark(iteration - 1, startNanos));
        }
        marks.add(new Mark(iteration, nanos));
        if (marks.size() > WINDOW + 1) {
            marks.removeFirst();
        }
    }

    /** Empty until an iteration was done. */
    Optional<Duration> until(int total) {
        if (marks.size() < 2) {
            return Optional.empty();
        }
        Mark first = marks.getFirst();
        Mark last = marks.getLast();
        int iterations = Math.max(1, last.iteration() - first.iteration());
        double each = (double) (last.nanos() - first.nanos()) / iterations;
        return Optional.of(Duration.ofNanos(Math.max(0, Math.round(each * (total - last.iteration())))));
    }
}
