package dev.pgkq.app.terminal;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The time that a run still needs, from the mean duration of its last iterations. Episodes get longer as a policy learns, so
 * the mean of all iterations would be too optimistic. The time that people take to rate depends on them and not on the run, so
 * it does not count.
 */
final class RemainingTime {
    private static final int WINDOW = 20;

    /** The end of an iteration, on a clock that stands still while people rate. */
    private record Mark(int iteration, long nanos) {}

    private final Deque<Mark> marks = new ArrayDeque<>();
    private final long startNanos;
    private long ratingNanos;

    RemainingTime(long startNanos) {
        this.startNanos = startNanos;
    }

    /**
     * An iteration was finished.
     *
     * @param nanos when
     * @param ratings how long people took to rate its episodes
     */
    void done(int iteration, long nanos, Duration ratings) {
        if (marks.isEmpty()) {
            // a resumed run starts at any iteration; the previous one ended before this process started
            marks.add(new Mark(iteration - 1, startNanos));
        }
        ratingNanos += ratings.toNanos();
        marks.add(new Mark(iteration, nanos - ratingNanos));
        if (marks.size() > WINDOW + 1) {
            marks.removeFirst();
        }
    }

    /** The time until that iteration is finished; empty until one was measured. */
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
