package dev.pgkq.rewards.advise;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Does work for many threads together that each wait for their own: while one commit waits for the disk, others queue up, and the
 * next commit takes them all. Ten thousand commits of a millisecond each would take ten seconds; together they take a few.
 */
final class GroupCommit<T, R> {
    private final Function<List<T>, List<R>> work;
    private final Queue<Entry<T, R>> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();

    /** Written and read by threads that hold the lock. */
    private static final class Entry<T, R> {
        private final T item;
        private @Nullable R result;
        private @Nullable RuntimeException error;

        Entry(T item) {
            this.item = item;
        }

        boolean isDone() {
            return result != null || error != null;
        }
    }

    /** @param work does the work for several items: all of it, or throws and has done none of it */
    GroupCommit(Function<List<T>, List<R>> work) {
        this.work = work;
    }

    /** Returns when the work for this item is done. */
    R submit(T item) {
        Entry<T, R> mine = new Entry<>(item);
        waiting.add(mine);
        lock.lock();
        try {
            if (!mine.isDone()) {
                doAll();
            }
            if (mine.error != null) {
                throw mine.error;
            }
            return Objects.requireNonNull(mine.result);
        } finally {
            lock.unlock();
        }
    }

    private void doAll() {
        List<Entry<T, R>> entries = new ArrayList<>();
        for (Entry<T, R> next = waiting.poll(); next != null; next = waiting.poll()) {
            entries.add(next);
        }
        try {
            doTogether(entries);
        } catch (RuntimeException e) {
            // the fault of one of them must not be the others'
            entries.forEach(this::doAlone);
        }
    }

    private void doTogether(List<Entry<T, R>> entries) {
        List<R> results = work.apply(entries.stream().map(entry -> entry.item).toList());
        for (int i = 0; i < results.size(); i++) {
            entries.get(i).result = results.get(i);
        }
    }

    private void doAlone(Entry<T, R> entry) {
        try {
            doTogether(List.of(entry));
        } catch (RuntimeException e) {
            entry.error = e;
        }
    }
}
