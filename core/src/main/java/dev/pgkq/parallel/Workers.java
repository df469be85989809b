package dev.pgkq.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed team of platform threads. Tasks are numbered and handed out in order to whoever is free; results must depend
 * on the task's number only, so that any number of workers gives the same result.
 */
public final class Workers implements AutoCloseable {
    private final int count;
    private final ExecutorService threads;
    private volatile Handed handed = new Handed(new AtomicInteger(), 0);

    /** Tasks of a call of {@link #run}, and the next one that somebody takes. */
    private record Handed(AtomicInteger next, int tasks) {}

    public Workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least one worker, got " + count);
        }
        this.count = count;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(count, work -> {
            Thread thread = new Thread(work, "pgkq-worker-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    public int count() {
        return count;
    }

    /** One task of many: {@code worker} says who does it (0 … count − 1), {@code task} what it is. */
    @FunctionalInterface
    public interface Task {
        void run(int worker, int task);
    }

    /**
     * Runs tasks 0 … tasks − 1 and returns when all are done. No two tasks of the same worker number run at once, so
     * each worker can keep a workspace of its own. The first failure is thrown again; the other tasks are given up.
     */
    public void run(int tasks, Task task) {
        if (tasks == 1) {
            task.run(0, 0);
            return;
        }
        AtomicInteger next = new AtomicInteger();
        handed = new Handed(next, tasks);
        List<Future<?>> running = new ArrayList<>();
        for (int w = 0; w < Math.min(count, tasks); w++) {
            int worker = w;
            running.add(threads.submit(() -> {
                try {
                    for (int i = next.getAndIncrement(); i < tasks; i = next.getAndIncrement()) {
                        task.run(worker, i);
                    }
                } catch (Throwable e) {
                    next.set(tasks);
                    throw e;
                }
            }));
        }
        await(running);
    }

    /** How much of the work under way was handed out, from 0 to 1: for people who wait for it. */
    public double share() {
        Handed now = handed;
        return now.tasks == 0 ? 0 : Math.min(1, (double) now.next.get() / now.tasks);
    }

    private static void await(List<Future<?>> running) {
        Throwable failure = null;
        boolean interrupted = false;
        for (Future<?> work : running) {
            while (true) {
                try {
                    work.get();
                    break;
                } catch (ExecutionException e) {
                    failure = failure == null ? e.getCause() : failure;
                    break;
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        switch (failure) {
            case null -> {}
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalStateException(failure);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
