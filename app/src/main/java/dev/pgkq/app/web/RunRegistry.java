package dev.pgkq.app.web;

import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** All runs in the served folder. Requests trigger a new search of the folder from time to time. */
final class RunRegistry {
    private static final long SEARCH_MAX_AGE_MILLIS = 1500;
    private static final long REFRESH_MAX_AGE_MILLIS = 200;

    private final ServedFolder folder;
    private final InstantSource clock;
    private final Liveness liveness;
    private final ReentrantLock searching = new ReentrantLock();
    private volatile Map<String, RunFeed> feeds = Map.of();
    private volatile long searched = Long.MIN_VALUE / 2;
    private volatile long searchMillis;
    private final Map<RunFeed, Long> refreshed = new ConcurrentHashMap<>();

    RunRegistry(ServedFolder folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
        this.liveness = new Liveness(clock);
    }

    /** All runs, ordered by name, with their files read. */
    List<RunFeed> all() {
        search();
        List<RunFeed> all = List.copyOf(feeds.values());
        all.forEach(this::refresh);
        return all;
    }

    /** @throws HttpError if there is no run with that id */
    RunFeed byId(String id) {
        RunFeed feed = feeds.get(id);
        if (feed == null) {
            search();
            feed = feeds.get(id);
        }
        if (feed == null) {
            throw HttpError.notFound("no such run; it may have been moved or deleted");
        }
        refresh(feed);
        return feed;
    }

    /** Reads a run's files unless another request has just done so. */
    private void refresh(RunFeed feed) {
        long now = clock.millis();
        Long last = refreshed.get(feed);
        if (last == null || now - last >= REFRESH_MAX_AGE_MILLIS) {
            refreshed.put(feed, now);
            feed.refresh();
        }
    }

    /** The runs in the folder; those already known if it cannot be read. */
    private List<ServedRun> findRuns() {
        try {
            return folder.findRuns();
        } catch (UncheckedIOException e) {
            return feeds.values().stream().map(RunFeed::run).toList();
        }
    }

    /**
     * Searches the folder. One thread searches; others meanwhile use the known runs, unless there has been no search yet. The
     * longer a search takes, the less often it runs.
     */
    private void search() {
        if (clock.millis() - searched < Math.max(SEARCH_MAX_AGE_MILLIS, 20 * searchMillis)) {
            return;
        }
        if (!searching.tryLock()) {
            if (searched > 0) {
                return;
            }
            searching.lock();
        }
        try {
            long start = clock.millis();
            if (start - searched < SEARCH_MAX_AGE_MILLIS) {
                return;
            }
            Map<String, RunFeed> now = new LinkedHashMap<>();
            for (ServedRun run : findRuns()) {
                RunFeed known = feeds.get(run.id());
                now.put(
                        run.id(),
                        known != null && known.run().equals(run) ? known : new RunFeed(run, folder, liveness));
            }
            feeds = now;
            refreshed.keySet().retainAll(now.values());
            searched = clock.millis();
            searchMillis = searched - start;
        } finally {
            searching.unlock();
        }
    }
}
