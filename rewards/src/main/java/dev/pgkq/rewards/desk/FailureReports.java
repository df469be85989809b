package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.FailureKind;
import dev.pgkq.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reports failed attempts without flooding a log: the first failure of each kind at once, and the number of further ones each
 * time it has doubled and at the end. Thread-safe.
 */
public final class FailureReports {
    /** Beyond this number, reasons are no kinds but texts that differ every time. */
    private static final int MOST_KINDS = 50;

    private static final String OTHERS = "";

    private final Map<String, Count> counts = new LinkedHashMap<>();
    private Consumer<FailedAttempt> listener = failure -> {};

    /** How often a failure occurred, and how often it had occurred at its last report. */
    private static final class Count {
        private final FailedAttempt first;
        private int times = 1;
        private int reported = 1;

        private Count(FailedAttempt first) {
            this.first = first;
        }
    }

    /**
     * A failed attempt, or several that failed for the same kind of reason.
     *
     * @param iteration iteration of the first
     * @param episode index of its episode
     * @param key its key in the ledger
     * @param attempt number of the attempt, starting at 1
     * @param reason why it failed
     * @param nextIn pause before the next attempt; empty if the reward was given up
     * @param times number of such failures so far
     */
    public record FailedAttempt(
            int iteration, int episode, String key, int attempt, String reason, Optional<Duration> nextIn, int times) {
        /** What happens next: "next attempt in 2s" or "given up". */
        public String consequence() {
            return nextIn.map(pause -> "next attempt in " + Durations.format(pause))
                    .orElse("given up");
        }

        /** The report as one sentence. */
        public String text() {
            return times == 1
                    ? "the reward of episode " + episode + " of iteration " + iteration + " failed (attempt " + attempt
                            + ", " + consequence() + "): " + reason
                    : count() + " so far for the same reason as episode " + episode + " of iteration " + iteration
                            + ": " + brief(reason);
        }

        /** The report of several failures as one sentence, if the reason was shown before. */
        public String countWithoutReason() {
            return count() + " so far for the reason given above for episode " + episode + " of iteration " + iteration;
        }

        private String count() {
            return times + (nextIn.isPresent() ? " calls have failed" : " rewards have been given up");
        }

        private static String brief(String reason) {
            int most = 80;
            return reason.length() <= most ? reason : reason.substring(0, most).replaceFirst("\\s+\\S*$", "") + " …";
        }

        private FailedAttempt repeated(int count) {
            return new FailedAttempt(iteration, episode, key, attempt, reason, nextIn, count);
        }
    }

    /** Sets the receiver of reports. */
    public synchronized void setListener(Consumer<FailedAttempt> receiver) {
        listener = receiver;
    }

    synchronized void add(FailedAttempt failure) {
        String kind = (failure.nextIn.isPresent() ? "again: " : "given up: ") + FailureKind.of(failure.reason);
        Count count = counts.get(counts.containsKey(kind) || counts.size() < MOST_KINDS ? kind : OTHERS);
        if (count == null) {
            counts.put(counts.size() < MOST_KINDS ? kind : OTHERS, new Count(failure));
            listener.accept(failure);
        } else {
            count.times++;
        }
    }

    /** Reports the kinds whose number has doubled; called after each iteration. */
    synchronized void reportDoubled() {
        counts.values().stream()
                .filter(count -> count.times >= 2 * count.reported)
                .forEach(this::report);
    }

    /** Reports everything not reported yet; call it when the run ends. */
    public synchronized void reportRemaining() {
        counts.values().stream().filter(count -> count.times > count.reported).forEach(this::report);
    }

    private void report(Count count) {
        count.reported = count.times;
        listener.accept(count.first.repeated(count.times));
    }
}
