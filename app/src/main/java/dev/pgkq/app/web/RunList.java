package dev.pgkq.app.web;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The list of runs as it is told to those who look at it: each run's state when it changes, and that one is gone. */
final class RunList {
    private final Map<String, Channel.Told> states = new LinkedHashMap<>();
    private long version;

    /** Looks at all runs; true if something changed. */
    boolean update(Runs runs, Ledgers ledgers) {
        Map<String, String> now = new LinkedHashMap<>();
        for (RunFeed feed : runs.all()) {
            String id = feed.run().id();
            now.put(id, Watcher.withRun(id, feed.card(ledgers.of(feed, Duration.ZERO))));
        }
        return note(now);
    }

    private synchronized boolean note(Map<String, String> now) {
        long before = version;
        now.forEach((id, json) -> {
            Channel.Told told = states.get(id);
            if (told == null || !told.json().equals(json)) {
                states.put(id, new Channel.Told(++version, "state", json, 0));
            }
        });
        states.replaceAll((id, told) -> now.containsKey(id) || told.event().equals("gone")
                ? told
                : new Channel.Told(++version, "gone", Json.write(Map.of("run", id)), 0));
        return version > before;
    }

    /** The newest of every run, in the order in which it changed. */
    synchronized List<Channel.Told> news() {
        return states.values().stream()
                .sorted(Comparator.comparingLong(Channel.Told::version))
                .toList();
    }
}
