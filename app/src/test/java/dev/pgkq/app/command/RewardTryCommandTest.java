package dev.pgkq.app.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@DisabledOnOs(value = OS.WINDOWS, disabledReason = "the programs are shell scripts")
class RewardTryCommandTest {
    @TempDir
    private Path folder = Path.of("");

    /** Tries a program that records its calls and prints this. */
    private Tool.Result tried(String answer, String... options) throws IOException {
        Path script = folder.resolve("score.sh");
        Files.writeString(
                script, "cat >/dev/null; echo x >>" + folder.resolve("calls") + "; echo '" + answer + "'\n", UTF_8);
        String[] args = new String[options.length + 5];
        System.arraycopy(new String[] {"reward", "try", "exec:sh " + script, "--env", "Pendulum-v1"}, 0, args, 0, 5);
        System.arraycopy(options, 0, args, 5, options.length);
        return Tool.run(args);
    }

    private int calls() throws IOException {
        return Files.readAllLines(folder.resolve("calls")).size();
    }

    @Test
    void anAnswerIsShownWithWhatTrainingMakesOfIt() throws IOException {
        Tool.Result result = tried("{\"return\": 7.5, \"cost\": 0.25, \"note\": \"fine\"}");
        assertThat(result.exitCode()).isZero();
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("Pendulum-v1, policy before training: 200 steps, truncated")
                .contains("bytes of JSON", "(200 × 3)")
                .contains("7.50 for the whole episode", "cost 0.25", "fine")
                .contains("--reward-per auto, the default, settles on episode", "try --count 3")
                .contains("and cost 25");
        assertThat(calls()).isOne();
    }

    @Test
    void equalNumbersAreAWarning() throws IOException {
        assertThat(tried("{\"return\": 7}", "--count", "2").out())
                .contains("nothing can be learned from equal rewards");
        assertThat(calls()).isEqualTo(2);
    }

    /** Every call may cost money. */
    @Test
    void aWrongAnswerIsNotAskedForAgain() throws IOException {
        Tool.Result result = tried("{\"score\": 7}", "--count", "5");
        assertThat(result.exitCode()).isEqualTo(ExitCode.INCOMPLETE.code());
        assertThat(result.out().replaceAll("\\s+", " "))
                .contains("has neither \"rewards\" nor \"return\"")
                .contains("expected {\"return\": 7.5}, or {\"rewards\": [0.5, …]} with 200 numbers")
                .contains("got “{\"score\": 7}”");
        assertThat(calls()).isOne();
    }

    @Test
    void theRequestCanBeSaved() throws IOException {
        Path saved = folder.resolve("request.json");
        tried("{\"return\": 7}", "--save", saved.toString());
        assertThat(new JsonMapper()
                        .readTree(Files.readAllBytes(saved))
                        .path("length")
                        .asInt())
                .isEqualTo(200);
    }

    @Test
    void whatCostsNothingNeedsNoTrial() {
        Tool.Result result = Tool.run("reward", "try", "rating");
        assertThat(result.exitCode()).isEqualTo(ExitCode.BAD_INPUT.code());
        assertThat(result.err()).contains("rating is computed by the task");
        assertThat(Tool.run("reward", "try", "nothing").err()).contains("HOW needs one of builtin");
        assertThat(Tool.run("reward").err()).contains("pgkq reward try");
    }
}
