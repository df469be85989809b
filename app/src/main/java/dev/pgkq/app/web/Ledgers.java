package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The ledgers of runs, summed up. They are read by threads of their own, again when they changed, what is known is a second old
 * and somebody asks, and the less often the longer that takes; who asks gets the newest that is known and waits only for the
 * first. A database that cannot be reached holds up nobody else.
 */
final class Ledgers implements AutoCloseable {
    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DATABASE_KEPT_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final int SHARE = 10;
    private static final int THREADS = 2;

    private final LedgerAccess door;
    private final Map<ServedRun, Entry> entries = new ConcurrentHashMap<>();
    private final ExecutorService files = threads("pgkq-ledger-files");
    private final ExecutorService databases = threads("pgkq-ledger-databases");

    private static final class Entry {
        private final AtomicBoolean reading = new AtomicBoolean();
        private final CountDownLatch first = new CountDownLatch(1);
        private volatile Optional<LedgerSummary> newest = Optional.empty();
        private volatile long again = Long.MIN_VALUE;
        private volatile boolean read;
        private volatile String stamp = "";
    }

    Ledgers(LedgerAccess door) {
        this.door = door;
    }

    private static ExecutorService threads(String name) {
        return Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * What the run's ledger says; empty if it has none, or it cannot be read.
     *
     * @param patience how long to wait if nothing is known yet
     */
    Optional<LedgerSummary> of(RunFeed feed, Duration patience) {
        Optional<Source> source = source(feed);
        if (source.isEmpty()) {
            return Optional.empty();
        }
        Entry entry = entries.computeIfAbsent(feed.run(), _ -> new Entry());
        long now = System.nanoTime();
        boolean due = !entry.read || (now - entry.again >= 0 && !source.get().isAsIn(entry.stamp));
        if (due && entry.reading.compareAndSet(false, true)) {
            submit(source.get(), entry);
        }
        try {
            if (!entry.read
                    && patience.isPositive()
                    && !entry.first.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return entry.newest;
    }

    private void submit(Source source, Entry entry) {
        try {
            (source.database() ? databases : files).execute(() -> read(source, entry));
        } catch (RejectedExecutionException e) {
            entry.reading.set(false); // closed
        }
    }

    private static void read(Source source, Entry entry) {
        long start = System.nanoTime();
        String stamp = source.stamp();
        try {
            LedgerSummary summary = new LedgerSummary();
            Consumer<LedgerEntry> filter = found -> {
                if (source.run.isEmpty() || RunName.isSameRun(found.id().run(), source.run)) {
                    summary.accept(found);
                }
            };
            Ledger.read(source.location, filter);
            entry.newest = Optional.of(summary);
            entry.stamp = stamp;
        } catch (UserException e) {
            // not reachable, or being made: what was known before stays
        } finally {
            long end = System.nanoTime();
            entry.again = end + Math.max(source.database() ? DATABASE_KEPT_NANOS : KEPT_NANOS, SHARE * (end - start));
            entry.read = true;
            entry.first.countDown();
            entry.reading.set(false);
        }
    }

    /**
     * Where a ledger is.
     *
     * @param run whose entries count; empty for all
     */
    private record Source(LedgerLocation location, String run) {
        boolean database() {
            return location instanceof LedgerLocation.OnServer;
        }

        /** Changes when the file or its log does; empty where that cannot be seen. */
        String stamp() {
            return switch (location) {
                case LedgerLocation.OnServer _ -> "";
                case LedgerLocation.InFile(Path file) ->
                    stamp(file) + " " + stamp(file.resolveSibling(file.getFileName() + "-wal"));
            };
        }

        boolean isAsIn(String stamp) {
            return !stamp.isEmpty() && stamp.equals(stamp());
        }

        /** A log that is empty is as good as none. */
        private static String stamp(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return now.size() == 0 ? "0" : now.size() + "/" + now.lastModifiedTime();
            } catch (IOException e) {
                return "0";
            }
        }
    }

    /** Where the run's ledger is, if viewers are not shown what is in it, since nobody named it to the server. */
    Optional<String> elsewhere(RunFeed feed) {
        return answer(feed) instanceof LedgerAccess.Answer.Elsewhere(String shown)
                ? Optional.of(shown)
                : Optional.empty();
    }

    private LedgerAccess.Answer answer(RunFeed feed) {
        return door.open(feed.run().directory(), feed.ledger());
    }

    private Optional<Source> source(RunFeed feed) {
        if (!(answer(feed) instanceof LedgerAccess.Answer.Open(LedgerLocation location))) {
            return Optional.empty();
        }
        RunDirectory directory = feed.run().directory();
        if (!directory.id().isEmpty()) {
            // others may share it, wherever it is
            return Optional.of(new Source(location, RunName.of(directory.name(), directory.id())));
        }
        // runs of old had no id, and a ledger in the run directory was theirs alone
        return Optional.of(new Source(location, feed.ledger().isEmpty() ? "" : directory.name()));
    }

    @Override
    public void close() {
        files.shutdownNow();
        databases.shutdownNow();
    }
}
