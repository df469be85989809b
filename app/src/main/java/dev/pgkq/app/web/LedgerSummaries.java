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
 * Cached summaries of the runs' ledgers. Separate threads read the ledgers: on request, if the ledger has changed and the
 * summary is more than a second old, and less often the longer reading takes. A request returns the latest summary and
 * waits only for the first. A database that cannot be reached delays no other ledger.
 */
final class LedgerSummaries implements AutoCloseable {
    private static final long FILE_MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long DATABASE_MAX_AGE_NANOS = TimeUnit.SECONDS.toNanos(5);
    /** At least this many times as long as reading took passes before the next reading. */
    private static final int PAUSE_FACTOR = 10;

    private static final long MAX_READ_NANOS = TimeUnit.SECONDS.toNanos(60);

    private static final int THREADS = 2;

    private final LedgerAccessPolicy access;
    private final Map<ServedRun, CachedSummary> summaries = new ConcurrentHashMap<>();
    private final ExecutorService files = threads("pgkq-ledger-files");
    private final ExecutorService databases = threads("pgkq-ledger-databases");

    private static final class CachedSummary {
        private final AtomicBoolean reading = new AtomicBoolean();
        private final CountDownLatch first = new CountDownLatch(1);
        private volatile Optional<LedgerSummary> latest = Optional.empty();
        private volatile long nextRead = Long.MIN_VALUE;
        private volatile boolean read;
        private volatile String stamp = "";
    }

    LedgerSummaries(LedgerAccessPolicy access) {
        this.access = access;
    }

    private static ExecutorService threads(String name) {
        return Executors.newFixedThreadPool(
                THREADS, Thread.ofPlatform().name(name).daemon().factory());
    }

    /**
     * The summary of the run's ledger; empty if it has none, or it cannot be read.
     *
     * @param timeout how long to wait for the first reading
     */
    Optional<LedgerSummary> summary(RunFeed feed, Duration timeout) {
        Optional<Source> source = source(feed);
        if (source.isEmpty()) {
            return Optional.empty();
        }
        CachedSummary entry = summaries.computeIfAbsent(feed.run(), _ -> new CachedSummary());
        long now = System.nanoTime();
        boolean due = !entry.read || (now - entry.nextRead >= 0 && !source.get().isUnchanged(entry.stamp));
        if (due && entry.reading.compareAndSet(false, true)) {
            submit(source.get(), entry);
        }
        try {
            if (!entry.read && timeout.isPositive() && !entry.first.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
                return Optional.empty();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return entry.latest;
    }

    private void submit(Source source, CachedSummary entry) {
        try {
            (source.database() ? databases : files).execute(() -> read(source, entry));
        } catch (RejectedExecutionException e) {
            entry.reading.set(false); // already closed
        }
    }

    private static void read(Source source, CachedSummary entry) {
        long start = System.nanoTime();
        String stamp = source.stamp();
        try {
            LedgerSummary summary = new LedgerSummary();
            Consumer<LedgerEntry> filter = found -> {
                if (System.nanoTime() - start > MAX_READ_NANOS) {
                    throw new UserException("reading " + source.location.shown() + " takes too long");
                }
                if (source.run.isEmpty() || RunName.isSameRun(found.id().run(), source.run)) {
                    summary.accept(found);
                }
            };
            Ledger.read(source.location, filter);
            entry.latest = Optional.of(summary);
            entry.stamp = stamp;
        } catch (UserException e) {
            // not reachable, or being created: the previous summary stays
        } finally {
            long end = System.nanoTime();
            entry.nextRead = end
                    + Math.max(
                            source.database() ? DATABASE_MAX_AGE_NANOS : FILE_MAX_AGE_NANOS,
                            PAUSE_FACTOR * (end - start));
            entry.read = true;
            entry.first.countDown();
            entry.reading.set(false);
        }
    }

    /**
     * A ledger to read.
     *
     * @param run name of the run whose entries count; empty for all
     */
    private record Source(LedgerLocation location, String run) {
        boolean database() {
            return location instanceof LedgerLocation.OnServer;
        }

        /** Changes when the file or its write-ahead log changes; empty for database servers. */
        String stamp() {
            return switch (location) {
                case LedgerLocation.OnServer _ -> "";
                case LedgerLocation.InFile(Path file) ->
                    stamp(file) + " " + stamp(file.resolveSibling(file.getFileName() + "-wal"));
            };
        }

        boolean isUnchanged(String stamp) {
            return !stamp.isEmpty() && stamp.equals(stamp());
        }

        /** The size and time of a file. An empty file counts as missing, because an empty log holds nothing. */
        private static String stamp(Path file) {
            try {
                BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
                return now.size() == 0 ? "0" : now.size() + "/" + now.lastModifiedTime();
            } catch (IOException e) {
                return "0";
            }
        }
    }

    /** The location of the run's ledger if its content may not be shown. */
    Optional<String> hiddenLocation(RunFeed feed) {
        return access(feed) instanceof LedgerAccessPolicy.Decision.Denied(String shown)
                ? Optional.of(shown)
                : Optional.empty();
    }

    private LedgerAccessPolicy.Decision access(RunFeed feed) {
        return access.check(feed.run().directory(), feed.ledger());
    }

    private Optional<Source> source(RunFeed feed) {
        if (!(access(feed) instanceof LedgerAccessPolicy.Decision.Allowed(LedgerLocation location))) {
            return Optional.empty();
        }
        RunDirectory directory = feed.run().directory();
        Optional<String> id = access.id(directory);
        if (id.isEmpty()) {
            return Optional.empty();
        }
        if (!id.get().isEmpty()) {
            // several runs may share the ledger
            return Optional.of(new Source(location, RunName.of(directory.name(), id.get())));
        }
        // runs of earlier versions have no id; a ledger in their directory belongs to them alone
        return Optional.of(new Source(location, feed.ledger().isEmpty() ? "" : directory.name()));
    }

    @Override
    public void close() {
        files.shutdownNow();
        databases.shutdownNow();
    }
}
