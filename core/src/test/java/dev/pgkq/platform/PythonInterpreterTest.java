package dev.pgkq.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PythonInterpreterTest {
    @TempDir
    private Path start = Path.of("");

    @Test
    void theInterpreterIsTheOneGivenOrActiveOrThatOfTheSystem() {
        Map<String, String> active = Map.of("VIRTUAL_ENV", "/home/me/.venv");
        assertThat(PythonInterpreter.command("my-python", start, active)).isEqualTo("my-python");
        assertThat(PythonInterpreter.command("", start, active)).isEqualTo("/home/me/.venv/bin/python");
        assertThat(PythonInterpreter.command("", start, Map.of())).isEqualTo("python3");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "virtual environments have another layout there")
    void aFolderIsThatOfAVirtualEnvironment() throws IOException {
        Path python = start.resolve(".venv/bin/python");
        Files.createDirectories(python.resolveSibling("."));
        Files.createFile(python);
        assertThat(PythonInterpreter.command(".venv", start, Map.of())).isEqualTo(".venv");
        assertThat(python.toFile().setExecutable(true)).isTrue();
        assertThat(PythonInterpreter.command(".venv", start, Map.of())).isEqualTo(".venv/bin/python");
    }
}
