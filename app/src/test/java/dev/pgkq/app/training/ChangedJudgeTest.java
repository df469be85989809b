package dev.pgkq.app.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The program that scores episodes is edited between two starts, and while a run trains. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the program is a shell script")
class ChangedJudgeTest {
    private static final int BATCH = 4;

    @TempDir
    private Path folder = Path.of("");

    private Path script = Path.of("");
    private Path calls = Path.of("");
    private String reward = "";

    @BeforeEach
    void makeProgram() throws IOException {
        calls = folder.resolve("calls");
        reward = Scorer.in(folder, calls);
        script = folder.resolve("score.sh");
    }

    private void edit() throws IOException {
        Files.writeString(script, "# edited\n", StandardOpenOption.APPEND);
    }

    private Tool.Result train(String run, int iterations, String... more) {
        List<String> words = new ArrayList<>(
                List.of("train", "--env", "Pendulum-v1", "--algo", "ppo", "--value-epochs", "2", "--threads", "1"));
        words.addAll(List.of("--batch", Integer.toString(BATCH), "--iterations", Integer.toString(iterations)));
        words.addAll(List.of("--reward", reward, "--reward-per", "episode"));
        words.addAll(List.of("--out", folder.resolve(run).toString()));
        words.addAll(List.of(more));
        return Tool.run(words.toArray(String[]::new));
    }

    private static void assertTrained(Tool.Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    private int callsMade() throws IOException {
        return Files.readAllLines(calls).size();
    }

    private void assertRefused(Tool.Result result, int answers) {
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err().replaceAll("\\s+", " "))
                .contains(
                        script + " changed since " + answers + " answers were recorded in the ledger",
                        ": reuse them with --reward-version 1, or have everything evaluated anew with --reward-version 2");
    }

    @Test
    void aResumedRunDoesNotMixTheAnswersOfTwoScriptsUnlessToldSo() throws IOException {
        assertTrained(train("run", 2));
        edit();

        Tool.Result refused = train("run", 3, "--resume", "--max-evaluations", "40");
        assertRefused(refused, 2 * BATCH);
        assertThat(callsMade()).isEqualTo(2 * BATCH);

        String suggested = refused.err()
                .lines()
                .filter(line -> line.startsWith("to continue: "))
                .findFirst()
                .orElseThrow();
        assertThat(suggested)
                .isEqualTo("to continue: pgkq train --resume --out " + folder.resolve("run")
                        + " --max-evaluations 40 --reward-version 1");
        assertTrained(Tool.run(suggested.replaceFirst("to continue: pgkq ", "").split(" ", -1)));
        assertThat(Scorer.calls(calls).values()).hasSize(3 * BATCH).containsOnly(1);

        // what was said holds for the script as it was then
        assertTrained(train("run", 4, "--resume"));
        edit();
        assertRefused(train("run", 5, "--resume"), 4 * BATCH);
    }

    @Test
    void anotherRunWithTheSameLedgerReusesAnswersOfTheSameVersionOnly() throws IOException {
        String[] ledger = {"--ledger", folder.resolve("shared.db").toString()};
        assertTrained(train("one", 2, ledger));
        edit();

        assertRefused(train("two", 2, ledger), 2 * BATCH);
        assertTrained(train("three", 2, ledger[0], ledger[1], "--reward-version", "1"));
        assertThat(callsMade()).isEqualTo(2 * BATCH);

        assertTrained(train("four", 2, ledger[0], ledger[1], "--reward-version", "2"));
        assertThat(Scorer.calls(calls).values()).hasSize(4 * BATCH).containsOnly(1);
        assertThat(Files.readString(folder.resolve("four").resolve("config.yaml")))
                .contains("reward-version: 2");
    }

    @Test
    void anEditDuringTrainingStopsTheRun() throws IOException {
        Scorer.meanwhile(calls, """
                if [ "$(wc -l <"$1")" -gt 4 ] && mkdir "$1.edited" 2>/dev/null; then echo '# edited' >>"$0"; fi
                """);
        assertRefused(train("run", 4), 2 * BATCH);
        assertThat(callsMade()).isEqualTo(2 * BATCH);
    }
}
