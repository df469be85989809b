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
 * One thread that looks at the files of all runs that somebody looks at, and wakes those who do. While nobody does it
 * sleeps. It waits for no viewer: each comes and takes what is new to him.
 */
final class RunWatcher implements AutoCloseable {
    private static final long LOOK_MILLIS = 200;
    /** What costs more than a look at a file is done in every so manieth round. */
    private static final int SELDOM = 5;

    private static final Duration GOODBYE = Duration.ofSeconds(5);

    private final ServedFolder folder;
    private final RunRegistry runs;
    private final LedgerSummaries ledgers;
    private final Map<RunFeed, Watched> channels = new LinkedHashMap<>();
    private final WatchedRunList list = new WatchedRunList();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private final Thread thread;
    private long version = 1;
    private int listViewers;
    private boolean closed;

    private static final class Watched {
        private final WatchedRun channel;
        private int viewers;

        Watched(WatchedRun channel) {
            this.channel = channel;
        }
    }

    RunWatcher(ServedFolder folder, RunRegistry runs, LedgerSummaries ledgers) {
        this.folder = folder;
        this.runs = runs;
        this.ledgers = ledgers;
        this.thread = Thread.ofPlatform().name("pgkq-watcher").daemon().start(this::watch);
    }

    /** Begins to watch a run for a viewer, until {@link #leave}. */
    WatchedRun join(RunFeed feed) {
        WatchedRun fresh = new WatchedRun(feed, folder);
        WatchedRun joined;
        lock.lock();
        try {
            Watched watched = channels.computeIfAbsent(feed, _ -> new Watched(fresh));
            watched.viewers++;
            joined = watched.channel;
            news.signalAll();
        } finally {
            lock.unlock();
        }
        if (joined == fresh) {
            // A viewer sees the state at once, not with the watcher's next round.
            lookAt(joined, true);
        }
        return joined;
    }

    void leave(WatchedRun channel) {
        lock.lock();
        try {
            Watched watched = channels.get(channel.feed());
            if (watched != null && --watched.viewers == 0) {
                channels.remove(channel.feed());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Begins to watch the list of runs for a viewer. */
    WatchedRunList joinList() {
        changeListViewers(1);
        lookAtList();
        return list;
    }

    void leaveList() {
        changeListViewers(-1);
    }

    private void changeListViewers(int by) {
        lock.lock();
        try {
            listViewers += by;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Grows whenever there is something new. */
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

    /** Waits for something newer than that version; false if there was nothing in that time. */
    boolean await(long seen, Duration time) throws InterruptedException {
        long left = time.toNanos();
        lock.lock();
        try {
            while (version <= seen && !closed && left > 0) {
                left = news.awaitNanos(left);
            }
            return version > seen;
        } finally {
            lock.unlock();
        }
    }

    private void watch() {
        try {
            for (int round = 0; awaitViewers(); round++) {
                boolean changed = false;
                for (WatchedRun channel : watched()) {
                    changed |= lookAt(channel, round % SELDOM == 0);
                }
                if (round % SELDOM == 0 && listIsWatched()) {
                    changed |= lookAtList();
                }
                if (changed) {
                    wake();
                }
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed
        }
    }

    private boolean lookAt(WatchedRun channel, boolean thoroughly) {
        try {
            boolean changed = channel.look();
            return (changed || thoroughly) && describe(channel) || changed;
        } catch (RuntimeException e) {
            return false; // the next round looks again; one run's trouble is not the others'
        }
    }

    private boolean lookAtList() {
        try {
            return list.update(runs, ledgers);
        } catch (RuntimeException e) {
            return false; // the next round looks again
        }
    }

    private boolean describe(WatchedRun channel) {
        RunFeed feed = channel.feed();
        String id = feed.run().id();
        Optional<LedgerSummary> bought = ledgers.of(feed, Duration.ZERO);
        boolean changed = channel.tell("state", withRun(id, feed.card(bought)));
        if (bought.isPresent()) {
            changed |= channel.tell("ledger", withRun(id, RunRoutes.fields(feed, bought.get())));
        } else {
            Optional<String> elsewhere = ledgers.elsewhere(feed);
            if (elsewhere.isPresent()) {
                changed |= channel.tell("ledger", withRun(id, Map.of(RunRoutes.ELSEWHERE, elsewhere.get())));
            }
        }
        return changed;
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
            while (!closed && channels.isEmpty() && listViewers == 0) {
                news.await();
            }
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    private List<WatchedRun> watched() {
        lock.lock();
        try {
            return channels.values().stream().map(watched -> watched.channel).toList();
        } finally {
            lock.unlock();
        }
    }

    private boolean listIsWatched() {
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
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            news.signalAll();
        } finally {
            lock.unlock();
        }
        thread.interrupt();
        try {
            thread.join(GOODBYE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
