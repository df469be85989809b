package dev.pgkq.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A fixed team of platform threads. Tasks are numbered and handed out in order to idle workers. The result of a task
 * must depend on its number only; then any number of workers gives the same results.
 */
public final class Workers implements AutoCloseable {
    private final int count;
    private final ExecutorService threads;
    private volatile Handed handed = new Handed(new AtomicInteger(), 0);

    /** The tasks of one call of {@link #run}, and the number of the next one to start. */
    private record Handed(AtomicInteger next, int tasks) {}

    /**
     * Starts a team of daemon threads.
     *
     * @param count how many
     * @throws IllegalArgumentException if there is not at least one
     */
    public Workers(int count) {
        if (count < 1) {
            throw new IllegalArgumentException("at least one worker is needed, not " + count);
        }
        this.count = count;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(count, work -> {
            Thread thread = new Thread(work, "pgkq-worker-" + number.getAndIncrement());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** {@return the number of workers} */
    public int count() {
        return count;
    }

    /** One of many numbered tasks. */
    @FunctionalInterface
    public interface Task {
        /**
         * Does one task.
         *
         * @param worker the number of the worker that does it, 0 … count − 1
         * @param task the number of the task
         */
        void run(int worker, int task);
    }

    /**
     * Runs tasks 0 … tasks − 1 and returns when all are done. Two tasks with the same worker number never run at once,
     * so each worker can have a workspace of its own. If a task throws, tasks that have not started are dropped and the
     * first exception is thrown again.
     *
     * @param tasks how many there are
     * @param task does one of them
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

    /** {@return the share of the current tasks that have started, from 0 to 1, for progress displays} */
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

    /** Stops the threads. Tasks still running are interrupted. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
