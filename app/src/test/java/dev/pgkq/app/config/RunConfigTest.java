package dev.pgkq.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.app.config.RunConfig.Given;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunConfigTest {
    private static RunConfig config(String... keysAndValues) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        for (int i = 0; i < keysAndValues.length; i += 2) {
            Setting setting = Setting.named(keysAndValues[i]).orElseThrow();
            given.put(setting, new Given(keysAndValues[i + 1], setting.key()));
        }
        return RunConfig.of(given);
    }

    @Test
    void choicesAreWhatTheDefaultsOfTheAlgorithmDoNotSay() {
        assertThat(config("env", "Hopper-v4", "algo", "ppo-kq-plus", "seed", "7")
                        .choices())
                .isEmpty();
        assertThat(config("algo", "ppo-kq", "learning-rate", "3e-3", "threads", "2")
                        .choices())
                .containsExactly(Map.entry("learning-rate", "0.003"));
        assertThat(config("algo", "ppo", "preset", "paper").choices()).containsExactly(Map.entry("preset", "paper"));
        // A small batch implies a small selection, which then need not be said.
        assertThat(config("batch", "4").choices()).containsExactly(Map.entry("batch", "4"));
    }

    /** With all of the resolved settings given, as a run directory has them, the choices are the same. */
    @Test
    void aConfigThatSaysEverythingHasTheSameChoices() {
        RunConfig brief = config("algo", "vpg-kq", "batch", "16", "quadrature", "herding");
        String[] all = brief.resolved().entrySet().stream()
                .flatMap(entry -> Stream.of(entry.getKey().key(), entry.getValue()))
                .toArray(String[]::new);
        assertThat(config(all).choices()).isEqualTo(brief.choices()).containsOnlyKeys("batch", "quadrature");
        assertThat(config(all).identity()).isEqualTo(brief.identity()).doesNotContainKeys("threads", "iterations");
    }

    @Test
    void whatDoesNothingWithTheAlgorithmIsNamed() {
        assertThat(config("algo", "ppo-large", "quadrature", "herding", "reward-memory", "3", "seed", "2")
                        .withoutEffect())
                .containsExactlyInAnyOrder("quadrature", "reward-memory");
        assertThat(config("algo", "ppo-kq", "quadrature", "herding").withoutEffect())
                .isEmpty();
    }
}
