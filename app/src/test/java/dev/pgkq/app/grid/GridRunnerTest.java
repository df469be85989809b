package dev.pgkq.app.grid;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.grid.Grid.Cell;
import dev.pgkq.app.terminal.IterationView;
import dev.pgkq.train.Algorithm;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GridRunnerTest {
    @TempDir
    private Path folder = Path.of("");

    /** Records the lines that a user would see. */
    private static final class RecordingView implements GridView {
        private final List<String> lines = new CopyOnWriteArrayList<>();

        @Override
        public void state(Cell cell, State state, String note) {}

        @Override
        public void progress(Cell cell, IterationView view) {}

        @Override
        public void message(String line) {
            lines.add(line);
        }

        @Override
        public void close() {}
    }

    @Test
    void warningsOfARunAreShownWithItsNameAndItsOtherMessagesAreNot() {
        Grid grid = new Grid(
                List.of("Pendulum-v1"),
                List.of(Algorithm.named("ppo")),
                new SeedRange(1, 1),
                1,
                Map.of(
                        Setting.BATCH, new Given("4", "--set batch"),
                        Setting.QUADRATURE, new Given("herding", "--set quadrature")));
        RecordingView view = new RecordingView();
        assertThat(new GridRunner(grid.cells(folder), 1, 1).run(view, () -> false))
                .isEmpty();
        assertThat(view.lines).containsExactly("Pendulum-v1 ppo 1: --set quadrature has no effect with ppo");
    }
}
