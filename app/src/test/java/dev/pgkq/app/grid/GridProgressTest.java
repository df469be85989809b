package dev.pgkq.app.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.train.Algorithm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GridProgressTest {
    private static final Cell CELL =
            new Cell("Hopper-v4", Algorithm.named("ppo"), 1, new RunDirectory(Path.of("run")), Map.of());

    private static double shown(double taskReturn, double paidReturn) {
        GridProgress progress = new GridProgress(List.of(CELL), Map.of(CELL, 5), 5);
        assertThat(progress.returnOf(CELL)).isNaN();
        progress.progress(CELL, new IterationView(1, 5, taskReturn, 1, paidReturn, 100, 8, 1000, 0));
        return progress.returnOf(CELL);
    }

    @Test
    void theReturnIsThatOfTheRewardsPaidForIfTheyAreExternal() {
        assertThat(shown(250, Double.NaN)).isEqualTo(250);
        assertThat(shown(250, 7.5)).isEqualTo(7.5);
    }

    /** The first iteration takes a minute, the others one second. */
    @Test
    void theTimeRemainingDoesNotCountAColdStart() {
        AtomicLong seconds = new AtomicLong();
        GridProgress progress =
                new GridProgress(List.of(CELL), Map.of(CELL, 500), 500, () -> seconds.get() * 1_000_000_000);
        for (int i = 1; i <= 4; i++) {
            seconds.addAndGet(i == 1 ? 60 : 1);
            progress.progress(CELL, new IterationView(i, 500, 0, 1, 0, 100, 8, 1000, 0));
            if (i < 3) {
                assertThat(progress.remaining()).isEmpty();
            } else {
                assertThat(progress.remaining()).contains(Duration.ofSeconds(500 - i));
            }
        }
        assertThat(progress.elapsed()).isEqualTo(Duration.ofSeconds(63));
    }
}
