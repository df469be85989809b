package dev.pgkq.app.web;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The list of runs as it is told to those who look at it: each run's state when it changes, and that one is gone. */
final class WatchedRunList {
    private final Map<String, WatchedRun.Update> states = new LinkedHashMap<>();
    private long version;

    /** Looks at all runs; true if something changed. */
    boolean update(RunRegistry runs, LedgerSummaries ledgers) {
        Map<String, String> now = new LinkedHashMap<>();
        for (RunFeed feed : runs.all()) {
            String id = feed.run().id();
            now.put(id, RunWatcher.withRun(id, feed.card(ledgers.of(feed, Duration.ZERO))));
        }
        return note(now);
    }

    private synchronized boolean note(Map<String, String> now) {
        long before = version;
        now.forEach((id, json) -> {
            WatchedRun.Update told = states.get(id);
            if (told == null || !told.json().equals(json)) {
                states.put(id, new WatchedRun.Update(++version, "state", json, 0));
            }
        });
        states.replaceAll((id, told) -> now.containsKey(id) || told.event().equals("gone")
                ? told
                : new WatchedRun.Update(++version, "gone", Json.write(Map.of("run", id)), 0));
        return version > before;
    }

    /** The newest of every run, in the order in which it changed. */
    synchronized List<WatchedRun.Update> news() {
        return states.values().stream()
                .sorted(Comparator.comparingLong(WatchedRun.Update::version))
                .toList();
    }
}
