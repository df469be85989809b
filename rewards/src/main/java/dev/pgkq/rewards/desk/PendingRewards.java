package dev.pgkq.rewards.desk;

import dev.pgkq.text.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;

/** The pending rewards of an iteration: which, since when, and how long they usually take. Thread-safe. */
public final class PendingRewards {
    private static final int NAMED = 4;
    private static final int REMEMBERED = 101;

    private final InstantSource clock;
    private final Map<Integer, Pending> pending = new TreeMap<>();
    private final List<Duration> took = new ArrayList<>();
    private Instant began;
    private int requested;
    private int known;
    private int failed;
    private Supplier<Optional<String>> description = Optional::empty;
    private boolean closed;

    /** A pending reward, with a remark about its state. */
    private sealed interface Pending {
        Instant since();

        String state(Instant now);
    }

    private record Asked(Instant since, int attempt) implements Pending {
        @Override
        public String state(Instant now) {
            return attempt > 1 ? "attempt " + attempt : "";
        }
    }

    private record Paused(Instant since, Instant until) implements Pending {
        @Override
        public String state(Instant now) {
            return now.isBefore(until) ? "retry in " + Durations.format(Duration.between(now, until)) : "retry is due";
        }
    }

    private record Elsewhere(Instant since, String owner) implements Pending {
        @Override
        public String state(Instant now) {
            return "requested by " + owner;
        }
    }

    /** Without pending rewards. */
    public PendingRewards(InstantSource clock) {
        this.clock = clock;
        this.began = clock.instant();
    }

    /** Sets a description to use instead of the usual text while it is present. */
    synchronized void describeWith(Supplier<Optional<String>> other) {
        description = other;
    }

    synchronized void begin(int count, int alreadyKnown) {
        if (closed) {
            return;
        }
        pending.clear();
        began = clock.instant();
        requested = count;
        known = alreadyKnown;
        failed = 0;
    }

    synchronized void asked(int episode, int attempt) {
        pending.put(episode, new Asked(clock.instant(), attempt));
    }

    synchronized void failed(int episode, Duration nextIn) {
        Instant now = clock.instant();
        pending.put(episode, new Paused(now, now.plus(nextIn)));
    }

    synchronized void elsewhere(int episode, String owner) {
        pending.computeIfAbsent(episode, e -> new Elsewhere(clock.instant(), owner));
    }

    synchronized void answered(int episode) {
        Pending answered = pending.remove(episode);
        if (answered != null) {
            took.add(Duration.between(answered.since(), clock.instant()));
            if (took.size() > REMEMBERED) {
                took.removeFirst();
            }
        }
        known++;
    }

    synchronized void gaveUp(int episode) {
        pending.remove(episode);
        failed++;
    }

    synchronized void end() {
        pending.clear();
        requested = 0;
    }

    /** Ends waiting for good: from now on nothing counts as pending. */
    public synchronized void close() {
        end();
        closed = true;
    }

    /** How long the current rewards have been pending; zero if none are. */
    public synchronized Duration waiting() {
        return requested == 0 ? Duration.ZERO : Duration.between(began, clock.instant());
    }

    /** Number of rewards that this process has asked an evaluator for and that are not answered. */
    public synchronized int asked() {
        return (int) pending.values().stream().filter(Asked.class::isInstance).count();
    }

    /**
     * A description of the pending rewards, empty if there are none.
     *
     * @param columns maximum length; less important parts are left out to stay within it
     */
    public String text(int columns) {
        Supplier<Optional<String>> other;
        synchronized (this) {
            if (requested == 0) {
                return "";
            }
            other = description;
        }
        return other.get().orElseGet(() -> usualText(columns));
    }

    private synchronized String usualText(int columns) {
        if (requested == 0) {
            return "";
        }
        Instant now = clock.instant();
        List<Map.Entry<Integer, Pending>> longest = pending.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().since()))
                .toList();
        String usual = took.isEmpty() || longest.isEmpty() ? "" : Durations.format(median());
        String text = text(longest, NAMED, usual.isEmpty() ? "" : "; they usually take " + usual, now);
        String brief = usual.isEmpty() ? "" : "; usually " + usual;
        // left out first: long wording, then all episodes but the oldest, the usual time, the oldest episode
        for (int named = Math.min(NAMED, longest.size()); text.length() > columns && named >= 0; named--) {
            text = text(longest, named, brief, now);
            if (text.length() > columns && named <= 1) {
                text = text(longest, named, "", now);
            }
        }
        return text;
    }

    private String text(List<Map.Entry<Integer, Pending>> longest, int most, String end, Instant now) {
        StringBuilder text = new StringBuilder("rewards: " + known + " of " + requested);
        if (failed > 0) {
            text.append(", ").append(failed).append(" failed");
        }
        int named = Math.min(most, longest.size());
        for (int i = 0; i < named; i++) {
            Pending one = longest.get(i).getValue();
            text.append(i == 0 ? "; open: episode " : ", ")
                    .append(longest.get(i).getKey())
                    .append(" for ")
                    .append(Durations.format(Duration.between(one.since(), now)));
            String state = one.state(now);
            if (!state.isEmpty()) {
                text.append(" (").append(state).append(')');
            }
        }
        if (longest.size() > named) {
            text.append(named == 0 ? "; " + longest.size() + " open" : " and " + (longest.size() - named) + " more");
        }
        return text.append(end).toString();
    }

    private Duration median() {
        List<Duration> sorted = took.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
