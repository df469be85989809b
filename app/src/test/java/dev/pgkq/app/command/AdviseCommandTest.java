package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import dev.pgkq.app.web.AdviserClient;
import dev.pgkq.app.web.AdviserServer;
import dev.pgkq.app.web.ServiceFile;
import dev.pgkq.rewards.advise.DurableAdviser;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AdviseCommandTest {
    @TempDir
    private Path folder = Path.of("");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--max-evaluations=-2 | --max-evaluations must be at least 0, got -2",
                "--max-cost=0 | --max-cost must be more than 0, got 0.0",
                "--max-cost=NaN | --max-cost must be more than 0, got NaN",
                "--cost=-1 | --cost must be from 0 to 1000000000, got -1.0",
                "--select=0 | --select must be auto or a number of items from 1, got '0'",
                "--per=word | --per",
                "--port=70000 | --port needs a number from 0 to 65535",
                "--threads=0 | --threads must be at least 1",
                "--judge= | the name of a judge must have 1 to 200 characters",
            })
    void settingsThatMakeNoSenseAreRefusedBeforeAnythingIsWritten(String option, String message) {
        Path judge = folder.resolve("judge");

        Tool.Result result = Tool.run("advise", judge.toString(), option);

        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains(message);
        assertThat(judge).doesNotExist();
    }

    @Test
    void anotherProcessInTheSameFolderIsNamedByItsAddress() {
        try (DurableAdviser adviser = DurableAdviser.open(folder, Options.defaults());
                AdviserServer server = AdviserServer.start(AdviserServer.Settings.at(0), adviser, "test");
                ServiceFile file = ServiceFile.write(folder, server)) {
            assertThat(file.file()).exists();
            Tool.Result result = Tool.run("advise", folder.toString(), "--port", "0");

            assertThat(result.exitCode()).isNotZero();
            assertThat(result.err())
                    .contains("another process uses " + folder)
                    .contains("It listens at " + server.address());
            assertThat(adviser.status().rounds()).isZero();
        }
    }

    @Test
    void aChildSaysWhereItListensAndEndsWithItsInput() throws Exception {
        List<String> command = new ArrayList<>(Tool.command("-XX:TieredStopAtLevel=1"));
        command.addAll(List.of(
                "advise", folder.toString(), "--port", "0", "--parent-stdin", "--max-cost", "3", "--cost", "0.5"));
        Process child = new ProcessBuilder(command)
                .redirectError(folder.resolve("errors").toFile())
                .start();
        try (BufferedReader out = new BufferedReader(new InputStreamReader(child.getInputStream(), UTF_8))) {
            String line = out.readLine();
            assertThat(line).as(Files.readString(folder.resolve("errors"))).startsWith("adviser: http://127.0.0.1:");
            AdviserClient client = new AdviserClient(line.substring("adviser: ".length()));
            assertThat(client.get("status").json().path("max_cost").asDouble()).isEqualTo(3);
            assertThat(client.post("rounds", "{\"features\":[[1],[2],[4],[8],[9],[11],[12]],\"select\":7}")
                            .json()
                            .path("indices"))
                    .as("6 scores at 0.5")
                    .hasSize(6);
            child.getOutputStream().close();
            assertThat(child.waitFor()).isZero();
            assertThat(folder.resolve("service.json")).doesNotExist();
        } finally {
            child.destroyForcibly();
        }
    }
}
