package dev.pgkq.app.study;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GridFileTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void commandsAreKeptInTheirOrderAndEachOnce() {
        GridFile file = new GridFile(folder);
        assertThat(file.commands()).isEmpty();
        file.add("pgkq reproduce --seeds 1");
        file.add("pgkq reproduce --seeds 3");
        file.add("pgkq reproduce --seeds 1");
        assertThat(file.commands()).containsExactly("pgkq reproduce --seeds 1", "pgkq reproduce --seeds 3");
    }

    @Test
    void whatYamlWouldTakeForItsOwnComesBackAsItWas() {
        String command = "pgkq reproduce --set 'a: b' # c \\ \"d\" --out '" + "long folder ".repeat(20) + "'";
        new GridFile(folder).add(command);
        assertThat(new GridFile(folder).commands()).containsExactly(command);
    }

    @Test
    void theOneCommandOfAFormerVersionIsKept() throws IOException {
        Files.writeString(folder.resolve("reproduce.yaml"), "# The grid.\ncommand: ./pgkq reproduce --seeds 1\n");
        GridFile file = new GridFile(folder);
        file.add("./pgkq reproduce --seeds 3");
        assertThat(file.commands()).containsExactly("./pgkq reproduce --seeds 1", "./pgkq reproduce --seeds 3");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "commands: [", "- a\n- b\n", "commands: {a: 1}\n", "seeds: 3\n"})
    void aFileThatCannotBeParsedHasNoCommands(String text) throws IOException {
        Files.writeString(folder.resolve("reproduce.yaml"), text);
        assertThat(new GridFile(folder).commands()).isEmpty();
    }
}
