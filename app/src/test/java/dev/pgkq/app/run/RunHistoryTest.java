package dev.pgkq.app.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.run.RunHistory.Setup;
import dev.pgkq.app.run.RunHistory.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {
    @TempDir
    private Path folder = Path.of("");

    private RunHistory after(String... events) {
        Path file = folder.resolve("events.jsonl");
        try (EventLog log = EventLog.open(file)) {
            for (String event : events) {
                log.append(event, Map.of("java", "25", "numerics", "OpenBLAS", "simd", "512 bits", "message", "why"));
            }
        }
        return RunHistory.read(file);
    }

    @Test
    void theLastThingThatHappenedIsHowItStands() {
        assertThat(after("started").state()).isEqualTo(State.OPEN);
        assertThat(after("diverged").state()).isEqualTo(State.OPEN);
        assertThat(after("failed").words()).isEqualTo("failed: why");
        assertThat(after("resumed").words()).isEqualTo("no end recorded: still running, or killed");
        assertThat(after("stopped").state()).isEqualTo(State.STOPPED);
        assertThat(after("budget-reached", "stopped").state()).isEqualTo(State.BUDGET);
        assertThat(after("budget-reached", "stopped", "resumed", "stopped").state())
                .isEqualTo(State.STOPPED);
        RunHistory story = after("resumed", "finished");
        assertThat(story.words()).isEqualTo("finished");
        assertThat(story.setups()).containsExactly(new Setup("25", "OpenBLAS", "512 bits"));
    }

    @Test
    void linesThatCannotBeReadTellNothing() throws IOException {
        Path file = folder.resolve("events.jsonl");
        Files.writeString(
                file, "{\"event\": \"started\"}\nwhat?\n[1, 2]\n{\"event\": \"finished\"}\n{\"event\": \"fail");
        assertThat(RunHistory.read(file).state()).isEqualTo(State.FINISHED);
        assertThat(RunHistory.read(folder.resolve("none")).state()).isEqualTo(State.OPEN);
    }
}
