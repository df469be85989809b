package dev.pgkq.app.web;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The list of runs with its updates: the state of each run that has changed, and runs that have disappeared. */
final class WatchedRunList {
    private final Map<String, WatchedRun.Update> states = new LinkedHashMap<>();
    private long version;

    /** Refreshes all runs; true if something changed. */
    boolean update(RunRegistry runs, LedgerSummaries ledgers) {
        Map<String, String> now = new LinkedHashMap<>();
        for (RunFeed feed : runs.all()) {
            String id = feed.run().id();
            now.put(id, RunWatcher.withRun(id, feed.overview(ledgers.summary(feed, Duration.ZERO))));
        }
        return publish(now);
    }

    private synchronized boolean publish(Map<String, String> now) {
        long before = version;
        now.forEach((id, json) -> {
            WatchedRun.Update previous = states.get(id);
            if (previous == null || !previous.json().equals(json)) {
                states.put(id, new WatchedRun.Update(++version, "state", json, 0));
            }
        });
        states.replaceAll(
                (id, previous) -> now.containsKey(id) || previous.event().equals("gone")
                        ? previous
                        : new WatchedRun.Update(++version, "gone", Json.write(Map.of("run", id)), 0));
        return version > before;
    }

    /** The latest update of each run, oldest first. */
    synchronized List<WatchedRun.Update> updates() {
        return states.values().stream()
                .sorted(Comparator.comparingLong(WatchedRun.Update::version))
                .toList();
    }
}
