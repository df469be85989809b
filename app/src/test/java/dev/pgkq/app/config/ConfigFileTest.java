package dev.pgkq.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigFileTest {
    @TempDir
    private Path folder = Path.of("");

    private static List<Algorithm> algorithms() {
        return Algorithm.all();
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void withNothingGivenTheSettingsAreTheDefaults(Algorithm algorithm) {
        RunConfig config = RunConfig.of(Map.of(Setting.ALGO, new Given(algorithm.id(), "--algo")));
        assertThat(config.trainSettings()).isEqualTo(TrainSettings.defaults(algorithm, 1));
    }

    @Test
    void whatIsWrittenReadsBackAsTheSameSettings() {
        Path file = folder.resolve("config.yaml");
        RunConfig config = RunConfig.of(Map.of(
                Setting.ALGO, new Given("vpg", "--algo"),
                Setting.LEARNING_RATE, new Given("3.7e-5", "--learning-rate"),
                Setting.MAX_GRAD_NORM, new Given("0.5", "--max-grad-norm"),
                Setting.SEED, new Given("-9000000000", "--seed"),
                Setting.ESTIMATOR, new Given("e1", "--estimator"),
                Setting.STANDARDIZE, new Given("true", "--standardize"),
                Setting.OUT, new Given("elsewhere", "--out")));
        ConfigFile.write(file, config);
        RunConfig again = RunConfig.of(ConfigFile.read(file));
        assertThat(again.trainSettings()).isEqualTo(config.trainSettings());
        assertThat(again.resolved()).isEqualTo(config.resolved());
        assertThat(again.has(Setting.OUT))
                .as("a repeated run goes to a place of its own")
                .isFalse();
        again.requireSameRun(config);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "exec:sh -c 'echo a: b # c'",
                "exec:sh -c 'cat >&2\n\techo {}'",
                "exec:say \"\u00e4\u2028\u001b\"",
                "exec:x #1",
                "files:a: b"
            })
    void textsThatYamlWouldReadAsSomethingElseAreWrittenInQuotes(String text) {
        Path file = folder.resolve("config.yaml");
        RunConfig config = RunConfig.of(Map.of(
                Setting.REWARD, new Given(text, "--reward"),
                Setting.LEDGER, new Given("1.10", "--ledger")));
        ConfigFile.write(file, config);
        RunConfig again = RunConfig.of(ConfigFile.read(file));
        assertThat(again.resolved()).isEqualTo(config.resolved());
        assertThat(again.text(Setting.REWARD)).isEqualTo(text);
        assertThat(again.text(Setting.LEDGER)).isEqualTo("1.10");
    }

    @Test
    void laterPlacesWin() throws IOException {
        Path file = folder.resolve("experiment.yaml");
        Files.writeString(file, "batch: 32\nselect: 4\nlearning-rate: 1e-3\n");
        RunConfig config = RunConfig.of(ConfigFile.read(file), Map.of(Setting.BATCH, new Given("16", "--batch")));
        TrainSettings settings = config.trainSettings();
        assertThat(settings.episodes().batch()).isEqualTo(16);
        assertThat(settings.episodes().select().most()).isEqualTo(4);
        assertThat(settings.policy().ascent().learningRate()).isEqualTo(1e-3);
    }

    @Test
    void aSmallBatchSelectsNoMoreThanItHas() {
        Path file = folder.resolve("config.yaml");
        RunConfig config = RunConfig.of(Map.of(Setting.BATCH, new Given("4", "--batch")));
        assertThat(config.trainSettings().episodes().select().most()).isEqualTo(4);
        ConfigFile.write(file, config);
        assertThat(RunConfig.of(ConfigFile.read(file)).trainSettings()).isEqualTo(config.trainSettings());
        RunConfig large = RunConfig.of(Map.of(Setting.BATCH, new Given("400", "--batch")));
        assertThat(large.trainSettings().episodes().select().most()).isEqualTo(8);
    }

    @Test
    void anEmptyFileGivesNothing() throws IOException {
        assertThat(ConfigFile.read(Files.writeString(folder.resolve("a.yaml"), "")))
                .isEmpty();
        assertThat(ConfigFile.read(Files.writeString(folder.resolve("b.yaml"), "# nothing yet\n")))
                .isEmpty();
    }
}
