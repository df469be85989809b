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

/** Which rewards of an iteration are out, since when, and when they may be expected. Threads share one. */
public final class PendingRewards {
    private static final int NAMED = 4;
    private static final int REMEMBERED = 101;

    private final InstantSource clock;
    private final Map<Integer, Out> out = new TreeMap<>();
    private final List<Duration> took = new ArrayList<>();
    private Instant began;
    private int wanted;
    private int known;
    private int failed;
    private Supplier<Optional<String>> words = Optional::empty;
    private boolean closed;

    /** Something that is out, and a word about it at any moment. */
    private sealed interface Out {
        Instant since();

        String state(Instant now);
    }

    private record Asked(Instant since, int attempt) implements Out {
        @Override
        public String state(Instant now) {
            return attempt > 1 ? "attempt " + attempt : "";
        }
    }

    private record Paused(Instant since, Instant until) implements Out {
        @Override
        public String state(Instant now) {
            return now.isBefore(until) ? "again in " + Durations.format(Duration.between(now, until)) : "again soon";
        }
    }

    private record Elsewhere(Instant since, String owner) implements Out {
        @Override
        public String state(Instant now) {
            return "asked for by " + owner;
        }
    }

    public PendingRewards(InstantSource clock) {
        this.clock = clock;
        this.began = clock.instant();
    }

    /** Who asks may know better words for what is waited for. */
    synchronized void describedBy(Supplier<Optional<String>> others) {
        words = others;
    }

    synchronized void begin(int count, int alreadyKnown) {
        if (closed) {
            return;
        }
        out.clear();
        began = clock.instant();
        wanted = count;
        known = alreadyKnown;
        failed = 0;
    }

    synchronized void asked(int episode, int attempt) {
        out.put(episode, new Asked(clock.instant(), attempt));
    }

    synchronized void failed(int episode, Duration nextIn) {
        Instant now = clock.instant();
        out.put(episode, new Paused(now, now.plus(nextIn)));
    }

    synchronized void elsewhere(int episode, String owner) {
        out.computeIfAbsent(episode, e -> new Elsewhere(clock.instant(), owner));
    }

    synchronized void answered(int episode) {
        Out order = out.remove(episode);
        if (order != null) {
            took.add(Duration.between(order.since(), clock.instant()));
            if (took.size() > REMEMBERED) {
                took.removeFirst();
            }
        }
        known++;
    }

    synchronized void gaveUp(int episode) {
        out.remove(episode);
        failed++;
    }

    synchronized void end() {
        out.clear();
        wanted = 0;
    }

    /** Nobody waits any more, whatever comes. */
    public synchronized void close() {
        end();
        closed = true;
    }

    /** How long the present rewards have been waited for; zero if none are. */
    public synchronized Duration waiting() {
        return wanted == 0 ? Duration.ZERO : Duration.between(began, clock.instant());
    }

    /** How many rewards somebody has been asked for, by us, and has not answered. */
    public synchronized int asked() {
        return (int) out.values().stream().filter(Asked.class::isInstance).count();
    }

    /** For people, in at most so many columns if that can be; empty if nothing is out. */
    public String text(int columns) {
        Supplier<Optional<String>> better;
        synchronized (this) {
            if (wanted == 0) {
                return "";
            }
            better = words;
        }
        return better.get().orElseGet(() -> usualText(columns));
    }

    private synchronized String usualText(int columns) {
        if (wanted == 0) {
            return "";
        }
        Instant now = clock.instant();
        List<Map.Entry<Integer, Out>> longest = out.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().since()))
                .toList();
        String usual = took.isEmpty() || longest.isEmpty() ? "" : Durations.format(median());
        String text = text(longest, NAMED, usual.isEmpty() ? "" : "; they usually take " + usual, now);
        String brief = usual.isEmpty() ? "" : "; usually " + usual;
        // what matters less goes first: long words, episodes but the oldest, what is usual, the oldest
        for (int named = Math.min(NAMED, longest.size()); text.length() > columns && named >= 0; named--) {
            text = text(longest, named, brief, now);
            if (text.length() > columns && named <= 1) {
                text = text(longest, named, "", now);
            }
        }
        return text;
    }

    private String text(List<Map.Entry<Integer, Out>> longest, int most, String end, Instant now) {
        StringBuilder text = new StringBuilder("rewards: " + known + " of " + wanted);
        if (failed > 0) {
            text.append(", ").append(failed).append(" failed");
        }
        int named = Math.min(most, longest.size());
        for (int i = 0; i < named; i++) {
            Out order = longest.get(i).getValue();
            text.append(i == 0 ? "; out: episode " : ", ")
                    .append(longest.get(i).getKey())
                    .append(" for ")
                    .append(Durations.format(Duration.between(order.since(), now)));
            String state = order.state(now);
            if (!state.isEmpty()) {
                text.append(" (").append(state).append(')');
            }
        }
        if (longest.size() > named) {
            text.append(named == 0 ? "; " + longest.size() + " out" : " and " + (longest.size() - named) + " more");
        }
        return text.append(end).toString();
    }

    private Duration median() {
        List<Duration> sorted = took.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
