package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.ledger.FailureKind;
import dev.pgkq.text.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Tells of attempts that failed: of every kind the first, at once, and of the others how many there were, each time their
 * number has doubled and at the end. So a log shows what is wrong and is not flooded. Threads share one.
 */
public final class Troubles {
    /** More kinds than this are no kinds: their reasons are words that somebody makes up every time. */
    private static final int MOST_KINDS = 50;

    private static final String OTHERS = "";

    private final Map<String, Count> counts = new LinkedHashMap<>();
    private Consumer<Trouble> teller = trouble -> {};

    /** How often something happened, and how often it had when that was told. */
    private static final class Count {
        private final Trouble first;
        private int times = 1;
        private int told = 1;

        private Count(Trouble first) {
            this.first = first;
        }
    }

    /**
     * An attempt that failed, or several alike.
     *
     * @param attempt 1 for the first time that it was asked
     * @param nextIn the pause before it is asked again; empty if it was given up
     * @param times how often that has happened by now
     */
    public record Trouble(
            int iteration, int episode, String key, int attempt, String reason, Optional<Duration> nextIn, int times) {
        /** For people. */
        public String text() {
            String then = nextIn.map(pause -> "asked again in " + Durations.format(pause))
                    .orElse("given up");
            return times == 1
                    ? "the reward of episode " + episode + " of iteration " + iteration + " failed (attempt " + attempt
                            + ", " + then + "): " + reason
                    : "so far " + times
                            + (nextIn.isPresent() ? " attempts failed" : " rewards were given up")
                            + " like that of episode " + episode + " of iteration " + iteration + ": " + brief(reason);
        }

        private static String brief(String reason) {
            int most = 80;
            return reason.length() <= most ? reason : reason.substring(0, most).replaceFirst("\\s+\\S*$", "") + " …";
        }

        private Trouble again(int count) {
            return new Trouble(iteration, episode, key, attempt, reason, nextIn, count);
        }
    }

    /** Who is told from now on. */
    public synchronized void tell(Consumer<Trouble> listener) {
        teller = listener;
    }

    synchronized void add(Trouble trouble) {
        String kind = (trouble.nextIn.isPresent() ? "again: " : "given up: ") + FailureKind.of(trouble.reason);
        Count count = counts.get(counts.containsKey(kind) || counts.size() < MOST_KINDS ? kind : OTHERS);
        if (count == null) {
            counts.put(counts.size() < MOST_KINDS ? kind : OTHERS, new Count(trouble));
            teller.accept(trouble);
        } else {
            count.times++;
        }
    }

    /** An iteration's rewards are bought: tells what has become twice as frequent. */
    synchronized void pause() {
        counts.values().stream().filter(count -> count.times >= 2 * count.told).forEach(this::tellAgain);
    }

    /** The run ends: tells what has not been told. */
    public synchronized void end() {
        counts.values().stream().filter(count -> count.times > count.told).forEach(this::tellAgain);
    }

    private void tellAgain(Count count) {
        count.told = count.times;
        teller.accept(count.first.again(count.times));
    }
}
