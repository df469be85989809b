package dev.pgkq.app.grid;

import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.grid.GridView.State;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.text.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The progress of every run, and an estimate of the time remaining. */
final class GridProgress {
    /** Fewer iterations say little about the rest, because the first ones include a cold start. */
    private static final int LEAST = 3;

    private final Map<Cell, Line> lines = new LinkedHashMap<>();
    private final LongSupplier clock;
    private final long startNanos;
    private final int iterations;
    /** When iterations ended, in order. */
    private final List<Long> ends = new ArrayList<>();

    /** The progress of one run. */
    static final class Line {
        final Cell cell;
        State state = State.WAITING;
        int before;
        int iteration;
        String note = "";

        @Nullable
        IterationView latest;

        Line(Cell cell) {
            this.cell = cell;
        }
    }

    GridProgress(List<Cell> cells, Map<Cell, Integer> missing, int iterations) {
        this(cells, missing, iterations, System::nanoTime);
    }

    GridProgress(List<Cell> cells, Map<Cell, Integer> missing, int iterations, LongSupplier clock) {
        this.clock = clock;
        startNanos = clock.getAsLong();
        this.iterations = iterations;
        for (Cell cell : cells) {
            Line line = new Line(cell);
            line.before = iterations - missing.getOrDefault(cell, 0);
            line.iteration = line.before;
            line.state = missing.containsKey(cell) ? State.WAITING : State.FINISHED;
            lines.put(cell, line);
        }
    }

    private Line line(Cell cell) {
        return lines.computeIfAbsent(cell, Line::new);
    }

    void state(Cell cell, State state, String note) {
        line(cell).state = state;
        line(cell).note = note;
    }

    void progress(Cell cell, IterationView view) {
        line(cell).latest = view;
        line(cell).iteration = view.iteration();
        ends.add(clock.getAsLong());
    }

    /** The newest mean return in the reward that the run is trained on. */
    double returnOf(Cell cell) {
        IterationView view = line(cell).latest;
        if (view == null) {
            return Double.NaN;
        }
        return Double.isNaN(view.paidReturn()) ? view.returnMean() : view.paidReturn();
    }

    int iterations() {
        return iterations;
    }

    List<Line> lines() {
        return List.copyOf(lines.values());
    }

    long count(State state) {
        return lines.values().stream().filter(line -> line.state == state).count();
    }

    Duration elapsed() {
        return Duration.ofNanos(clock.getAsLong() - startNanos);
    }

    /** Estimated from the later half of the iterations done so far; failed runs do not count. */
    Optional<Duration> remaining() {
        long left = 0;
        for (Line line : lines.values()) {
            left += line.state == State.FAILED ? 0 : iterations - line.iteration;
        }
        int done = ends.size();
        if (done < LEAST) {
            return Optional.empty();
        }
        int earlier = done / 2;
        double nanosEach = (double) (clock.getAsLong() - ends.get(earlier - 1)) / (done - earlier);
        return Optional.of(Duration.ofNanos(Math.round(nanosEach * left)));
    }

    String summary() {
        long failed = count(State.FAILED);
        return count(State.FINISHED) + " of " + lines.size() + " runs finished, " + count(State.RUNNING) + " running"
                + (failed > 0 ? ", " + failed + " failed" : "")
                + remaining()
                        .filter(left -> !left.isZero())
                        .map(left -> ", ETA " + Durations.format(left))
                        .orElse("");
    }
}
