package dev.pgkq.app.web;

import java.io.UncheckedIOException;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/** The runs that are served, each with what is known of it. The folder is searched again now and then, when somebody asks. */
final class RunRegistry {
    private static final long FOUND_FOR_MILLIS = 1500;
    private static final long FRESH_FOR_MILLIS = 200;

    private final ServedFolder folder;
    private final InstantSource clock;
    private final Liveness liveness;
    private final ReentrantLock searching = new ReentrantLock();
    private volatile Map<String, RunFeed> feeds = Map.of();
    private volatile long found = Long.MIN_VALUE / 2;
    private volatile long searchMillis;
    private final Map<RunFeed, Long> refreshed = new ConcurrentHashMap<>();

    RunRegistry(ServedFolder folder, InstantSource clock) {
        this.folder = folder;
        this.clock = clock;
        this.liveness = new Liveness(clock);
    }

    /** All runs, by name, as their files are now. */
    List<RunFeed> all() {
        search();
        List<RunFeed> all = List.copyOf(feeds.values());
        all.forEach(this::refresh);
        return all;
    }

    /** @throws HttpError if there is none with that id */
    RunFeed named(String id) {
        RunFeed feed = feeds.get(id);
        if (feed == null) {
            search();
            feed = feeds.get(id);
        }
        if (feed == null) {
            throw HttpError.notFound("there is no such run here, or not any more; the list of runs has what there is");
        }
        refresh(feed);
        return feed;
    }

    /** Somebody else may have looked a moment ago. */
    private void refresh(RunFeed feed) {
        long now = clock.millis();
        Long last = refreshed.get(feed);
        if (last == null || now - last >= FRESH_FOR_MILLIS) {
            refreshed.put(feed, now);
            feed.refresh();
        }
    }

    /** What was known stays if the folder cannot be looked at. */
    private List<ServedRun> found() {
        try {
            return folder.find();
        } catch (UncheckedIOException e) {
            return feeds.values().stream().map(RunFeed::run).toList();
        }
    }

    /** One searches; who comes meanwhile gets what is known, unless that is nothing yet. A search that is slow comes seldom. */
    private void search() {
        if (clock.millis() - found < Math.max(FOUND_FOR_MILLIS, 20 * searchMillis)) {
            return;
        }
        if (!searching.tryLock()) {
            if (found > 0) {
                return;
            }
            searching.lock();
        }
        try {
            long start = clock.millis();
            if (start - found < FOUND_FOR_MILLIS) {
                return;
            }
            Map<String, RunFeed> now = new LinkedHashMap<>();
            for (ServedRun run : found()) {
                RunFeed known = feeds.get(run.id());
                now.put(
                        run.id(),
                        known != null && known.run().equals(run) ? known : new RunFeed(run, folder, liveness));
            }
            feeds = now;
            refreshed.keySet().retainAll(now.values());
            found = clock.millis();
            searchMillis = found - start;
        } finally {
            searching.unlock();
        }
    }
}
