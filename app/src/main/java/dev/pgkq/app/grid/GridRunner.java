package dev.pgkq.app.grid;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.grid.GridView.State;
import dev.pgkq.app.terminal.Advice;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.app.terminal.ProgressView;
import dev.pgkq.app.training.ResumeSettings;
import dev.pgkq.app.training.TrainingRun;
import dev.pgkq.app.training.TrainingRun.Outcome;
import dev.pgkq.text.UserException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntFunction;

/**
 * Trains the runs of a grid, several at once. A run that fails is recorded and the others continue. A run that was
 * stopped is resumed. So the same call, repeated, completes the grid.
 */
public final class GridRunner {
    private final List<Cell> cells;
    private final int jobs;
    private final int threads;
    private final Set<TrainingRun> running = ConcurrentHashMap.newKeySet();

    /**
     * @param jobs how many runs train at once
     * @param cores divided among these runs
     */
    public GridRunner(List<Cell> cells, int jobs, int cores) {
        this.cells = List.copyOf(cells);
        this.jobs = Math.max(1, Math.min(jobs, cells.size()));
        this.threads = Math.max(1, cores / this.jobs);
    }

    /** The runs that are not complete, with the number of iterations that each is missing. */
    public static Map<Cell, Integer> missing(List<Cell> cells, int iterations) {
        Map<Cell, Integer> missing = new LinkedHashMap<>();
        for (Cell cell : cells) {
            int done = cell.directory().holdsRun() ? done(cell) : 0;
            if (done < iterations) {
                missing.put(cell, iterations - done);
            }
        }
        return missing;
    }

    private static int done(Cell cell) {
        return cell.directory()
                .checkpoints()
                .newest()
                .map(found -> found.saved().snapshot().iteration())
                .orElse(0);
    }

    /**
     * Trains all runs, unless {@code stop} says so before.
     *
     * @return why runs failed, by run
     */
    public Map<Cell, String> run(GridView view, BooleanSupplier stop) {
        Map<Cell, String> failures = new LinkedHashMap<>();
        AtomicInteger next = new AtomicInteger();
        ExecutorService team = Executors.newFixedThreadPool(jobs);
        try {
            List<Future<?>> workers = new ArrayList<>();
            for (int j = 0; j < jobs; j++) {
                workers.add(team.submit(() -> {
                    for (int i = next.getAndIncrement();
                            i < cells.size() && !stop.getAsBoolean();
                            i = next.getAndIncrement()) {
                        run(cells.get(i), view, stop, failures);
                    }
                }));
            }
            for (Future<?> worker : workers) {
                worker.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            team.shutdownNow();
        }
        return failures;
    }

    private void run(Cell cell, GridView view, BooleanSupplier stop, Map<Cell, String> failures) {
        view.state(cell, State.RUNNING, "");
        try {
            Outcome outcome = train(cell, view, stop);
            view.state(cell, outcome.complete() ? State.FINISHED : State.STOPPED, "");
        } catch (UserException e) {
            fail(cell, Advice.message(e), view, failures);
        } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
            fail(cell, e.toString(), view, failures);
        }
    }

    private static void fail(Cell cell, String reason, GridView view, Map<Cell, String> failures) {
        synchronized (failures) {
            failures.put(cell, reason);
        }
        view.state(cell, State.FAILED, reason);
    }

    private Outcome train(Cell cell, GridView view, BooleanSupplier stop) {
        boolean resume = cell.directory().holdsRun();
        Map<Setting, Given> given = new EnumMap<>(cell.settings());
        given.put(Setting.THREADS, new Given(Integer.toString(threads), "--jobs"));
        RunConfig config = resume ? ResumeSettings.merge(cell.directory(), Map.of(), given) : RunConfig.of(given);
        TrainingRun run = new TrainingRun(cell.directory(), resume, config);
        running.add(run);
        try {
            return run.run(forwarding(cell, view), stop);
        } finally {
            running.remove(run);
        }
    }

    /** The number of rewards that were requested and have no answer yet. */
    public int pendingRewards() {
        return running.stream().mapToInt(TrainingRun::pendingRewards).sum();
    }

    /** Stops all runs at once, from another thread. */
    public void abandon() {
        running.parallelStream().forEach(TrainingRun::abandon);
    }

    private static ProgressView forwarding(Cell cell, GridView view) {
        return new ProgressView() {
            @Override
            public void show(IterationView iteration) {
                view.progress(cell, iteration);
            }

            @Override
            public void message(String line) {
                // the overview shows the state of each run; details are in its event log
            }

            @Override
            public void warn(String problem) {
                view.warn(cell, problem);
            }

            @Override
            public void waiting(IntFunction<String> line) {
                // the overview shows that the run is training
            }

            @Override
            public void finish() {
                // the overview shows that the run has ended
            }
        };
    }
}
