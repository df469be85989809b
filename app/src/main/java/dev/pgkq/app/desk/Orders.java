package dev.pgkq.app.desk;

import dev.pgkq.app.terminal.Durations;
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
public final class Orders {
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

    private record Out(Instant since, String state) {}

    public Orders(InstantSource clock) {
        this.clock = clock;
        this.began = clock.instant();
    }

    /** Who asks may know better words for what is waited for. */
    synchronized void describedBy(Supplier<Optional<String>> others) {
        words = others;
    }

    synchronized void begin(int count, int alreadyKnown) {
        out.clear();
        began = clock.instant();
        wanted = count;
        known = alreadyKnown;
        failed = 0;
    }

    synchronized void asked(int episode, int attempt) {
        out.put(episode, new Out(clock.instant(), attempt > 1 ? "attempt " + attempt : ""));
    }

    synchronized void failed(int episode, Duration nextIn) {
        out.put(episode, new Out(clock.instant(), "again in " + Durations.format(nextIn)));
    }

    synchronized void elsewhere(int episode, String owner) {
        out.computeIfAbsent(episode, e -> new Out(clock.instant(), "asked for by " + owner));
    }

    synchronized void answered(int episode) {
        Out order = out.remove(episode);
        if (order != null) {
            took.add(Duration.between(order.since, clock.instant()));
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

    /** How long the present rewards have been waited for; zero if none are. */
    public synchronized Duration waiting() {
        return wanted == 0 ? Duration.ZERO : Duration.between(began, clock.instant());
    }

    /** For people; empty if nothing is out. */
    public String text() {
        Supplier<Optional<String>> better;
        synchronized (this) {
            if (wanted == 0) {
                return "";
            }
            better = words;
        }
        return better.get().orElseGet(this::usualText);
    }

    private synchronized String usualText() {
        if (wanted == 0) {
            return "";
        }
        StringBuilder text = new StringBuilder("rewards: " + known + " of " + wanted);
        if (failed > 0) {
            text.append(", ").append(failed).append(" failed");
        }
        List<Map.Entry<Integer, Out>> longest = out.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().since))
                .toList();
        Instant now = clock.instant();
        for (int i = 0; i < Math.min(NAMED, longest.size()); i++) {
            Out order = longest.get(i).getValue();
            text.append(i == 0 ? "; out: " : ", ")
                    .append("episode ")
                    .append(longest.get(i).getKey())
                    .append(" for ")
                    .append(Durations.format(Duration.between(order.since, now)));
            if (!order.state.isEmpty()) {
                text.append(" (").append(order.state).append(')');
            }
        }
        if (longest.size() > NAMED) {
            text.append(" and ").append(longest.size() - NAMED).append(" more");
        }
        if (!took.isEmpty() && !longest.isEmpty()) {
            text.append("; they usually take ").append(Durations.format(median()));
        }
        return text.toString();
    }

    private Duration median() {
        List<Duration> sorted = took.stream().sorted().toList();
        return sorted.get(sorted.size() / 2);
    }
}
