package dev.pgkq.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.SettingSpec.Defaults;
import dev.pgkq.reward.Grain;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class SettingTest {
    private static Stream<Defaults> defaults() {
        return Arrays.stream(Preset.values())
                .flatMap(preset -> Arrays.stream(Grain.values())
                        .flatMap(grain -> Algorithm.all().stream()
                                .map(algorithm -> TrainSettings.defaults(preset, algorithm, grain, 0))))
                .map(train -> new Defaults(train, RewardChoice.BUILTIN, RewardPer.AUTO));
    }

    private static Stream<Arguments> settingsWithDefaults() {
        return Arrays.stream(Setting.values())
                .flatMap(setting -> defaults()
                        .flatMap(defaults -> setting.spec().fallback().apply(defaults).stream())
                        .map(SettingSpec::spelled)
                        .distinct()
                        .map(text -> Arguments.of(setting, text)));
    }

    @ParameterizedTest
    @MethodSource("settingsWithDefaults")
    void everyDefaultIsAValueThatTheSettingTakesAndWritesTheSameWay(Setting setting, String text) {
        assertThat(SettingSpec.spelled(setting.spec().reader().apply(text))).isEqualTo(text);
    }

    @Test
    void theShortHelpHasTheSixteenSettingsThatOneNeeds() {
        assertThat(Arrays.stream(Setting.values())
                        .filter(setting -> setting.spec().isBasic())
                        .map(Setting::key))
                .containsExactlyInAnyOrder(
                        "env",
                        "algo",
                        "preset",
                        "iterations",
                        "batch",
                        "select",
                        "seed",
                        "reward",
                        "reward-per",
                        "ledger",
                        "max-evaluations",
                        "max-cost",
                        "out",
                        "threads",
                        "python",
                        "cluster");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "batch | 1.5 | a whole number",
                "batch | 99999999999 | a whole number from 1 to 2147483647",
                "batch | '' | a whole number",
                "seed | 9223372036854775808 | a whole number",
                "kernel-points | 1 | a whole number from 2 to 10000",
                "kernel-updates | all | a whole number, or pass",
                "kernel-updates | -1 | a whole number from 0 to 1000000, or pass",
                "gram-features | 7 | an even number from 2 to 100000",
                "discount | 0 | a number above 0, up to 1",
                "discount | Infinity | a finite number",
                "learning-rate | -Infinity | a number above 0",
                "max-grad-norm | NaN | a number",
                "tensorboard | yes | true or false",
                "hidden | '' | units of 1 to 10 hidden layers, each from 1 to 10000, separated by commas, such as 64,64",
                "hidden | 64,,64 | units of 1 to 10 hidden layers",
                "hidden | 64,0 | units of 1 to 10 hidden layers",
                "activation | sigmoid | one of relu, tanh",
                "learning-rate-schedule | cosine | one of constant, linear",
                "estimator | e3 | one of bootstrap, e1, e2",
                "reward | none | one of builtin, sparse, rating, human, exec:COMMAND",
                "cluster | ' ' | an address",
                "env | ' ' | a task",
                "env-args | [1] | a JSON object",
                "env-args | {gravity | a JSON object",
                "time-limit | 0 | a whole number of at least 1",
            })
    void aWrongValueIsRefusedWithItsOriginWhatIsNeededAndWhatWasGiven(String key, String text, String needed) {
        Setting setting = Setting.named(key).orElseThrow();
        Given given = new Given(text, key + " in some.yaml");

        assertThatThrownBy(() -> RunConfig.of(Map.of(setting, given)))
                .hasMessageStartingWith(key + " in some.yaml needs " + needed)
                .hasMessageEndingWith(", got '" + text.strip() + "'");
    }
}
