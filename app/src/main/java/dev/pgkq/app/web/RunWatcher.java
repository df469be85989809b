package dev.pgkq.app.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One thread that polls the files of all runs with viewers and wakes the viewers' threads. Without viewers it sleeps. It
 * never waits for a viewer: each one fetches its own updates.
 */
final class RunWatcher implements AutoCloseable {
    private static final long POLL_MILLIS = 200;
    /** Every how many polls to do what costs more than checking a file. */
    private static final int SLOW_POLL_INTERVAL = 5;

    private static final Duration SHUTDOWN_TIMEOUT = Duration.ofSeconds(5);

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final LedgerSummaries ledgers;
    private final Map<RunFeed, Viewers> watched = new LinkedHashMap<>();
    private final WatchedRunList list = new WatchedRunList();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Thread thread;
    private long version = 1;
    private int listViewers;
    private boolean closed;

    private static final class Viewers {
        private final WatchedRun run;
        private int count;

        Viewers(WatchedRun run) {
            this.run = run;
        }
    }

    RunWatcher(ServedFolder folder, RunRegistry runs, LedgerSummaries ledgers) {
        this.folder = folder;
        this.runs = runs;
        this.ledgers = ledgers;
        this.thread = Thread.ofPlatform().name("pgkq-watcher").daemon().start(this::watch);
    }

    /** Starts watching a run for a viewer, until {@link #leave}. */
    WatchedRun join(RunFeed feed) {
        WatchedRun fresh = new WatchedRun(feed, folder);
        WatchedRun joined;
        lock.lock();
        try {
            Viewers viewers = watched.computeIfAbsent(feed, _ -> new Viewers(fresh));
            viewers.count++;
            joined = viewers.run;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        if (joined == fresh) {
            // a viewer sees the state at once, not after the next poll
            refresh(joined, true);
        }
        return joined;
    }

    void leave(WatchedRun run) {
        lock.lock();
        try {
            Viewers viewers = watched.get(run.feed());
            if (viewers != null && --viewers.count == 0) {
                watched.remove(run.feed());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Starts watching the list of runs for a viewer, until {@link #leaveList}. */
    WatchedRunList joinList() {
        changeListViewers(1);
        refreshList();
        return list;
    }

    void leaveList() {
        changeListViewers(-1);
    }

    private void changeListViewers(int by) {
        lock.lock();
        try {
            listViewers += by;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Increases with every change. */
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    boolean closed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for a change after a version; false if there was none in the given time. */
    boolean await(long seen, Duration timeout) throws InterruptedException {
        long remaining = timeout.toNanos();
        lock.lock();
        try {
            while (version <= seen && !closed && remaining > 0) {
                remaining = changed.awaitNanos(remaining);
            }
            return version > seen;
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        try {
            for (int round = 0; awaitViewers(); round++) {
                boolean any = false;
                for (WatchedRun run : watchedRuns()) {
                    any |= refresh(run, round % SLOW_POLL_INTERVAL == 0);
                }
                if (round % SLOW_POLL_INTERVAL == 0 && listIsViewers()) {
                    any |= refreshList();
                }
                if (any) {
                    wake();
                }
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private boolean refresh(WatchedRun run, boolean slowPoll) {
        try {
            boolean any = run.refresh();
            return (any || slowPoll) && publish(run) || any;
        } catch (RuntimeException e) {
            return false; // retried at the next poll; an error in one run must not affect others
        }
    }

    private boolean refreshList() {
        try {
            return list.update(runs, ledgers);
        } catch (RuntimeException e) {
            return false; // retried at the next poll
        }
    }

    private boolean publish(WatchedRun run) {
        RunFeed feed = run.feed();
        String id = feed.run().id();
        Optional<LedgerSummary> bought = ledgers.summary(feed, Duration.ZERO);
        boolean any = run.publish("state", withRun(id, feed.overview(bought)));
        if (bought.isPresent()) {
            any |= run.publish("ledger", withRun(id, RunRoutes.fields(feed, bought.get())));
        } else {
            Optional<String> hidden = ledgers.hiddenLocation(feed);
            if (hidden.isPresent()) {
                any |= run.publish("ledger", withRun(id, Map.of(RunRoutes.HIDDEN_LOCATION, hidden.get())));
            }
        }
        return any;
    }

    static String withRun(String id, Map<String, ? extends @Nullable Object> fields) {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("run", id);
        all.putAll(fields);
        return Json.write(all);
    }

    private boolean awaitViewers() throws InterruptedException {
        lock.lock();
        try {
            while (!closed && watched.isEmpty() && listViewers == 0) {
                changed.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private List<WatchedRun> watchedRuns() {
        lock.lock();
        try {
            return watched.values().stream().map(viewers -> viewers.run).toList();
        } finally {
            lock.unlock();
        }
    }

    private boolean listIsViewers() {
        lock.lock();
        try {
            return listViewers > 0;
        } finally {
            lock.unlock();
        }
    }

    private void wake() {
        lock.lock();
        try {
            version++;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        try {
            thread.join(SHUTDOWN_TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
