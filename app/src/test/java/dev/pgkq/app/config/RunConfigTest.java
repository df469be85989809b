package dev.pgkq.app.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.gp.KernelUpdates;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.people.PeopleSettings;
import dev.pgkq.rewards.people.RatingScale;
import java.time.Duration;
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

    @Test
    void theKernelHasANumberOfUpdatesOrAPass() {
        assertThat(updates()).isEqualTo(new KernelUpdates.Fixed(40));
        assertThat(updates("preset", "paper")).isEqualTo(new KernelUpdates.Pass());
        assertThat(updates("kernel-updates", " Pass ")).isEqualTo(new KernelUpdates.Pass());
        assertThat(updates("preset", "paper", "kernel-updates", "0")).isEqualTo(new KernelUpdates.Fixed(0));
        assertThat(config("kernel-updates", "pass").choices()).containsExactly(Map.entry("kernel-updates", "pass"));
    }

    private static KernelUpdates updates(String... keysAndValues) {
        return config(keysAndValues).trainSettings().kernel().updates();
    }

    @Test
    void peopleTellOneNumberForAnEpisodeAndHaveSettingsOfTheirOwn() {
        RunConfig human = config("reward", "human", "rating-scale", "1 poor .. 5 fine", "rating-grace", "0.5");

        assertThat(human.grain()).isEqualTo(Grain.EPISODE);
        PeopleSettings people = human.people().orElseThrow();
        assertThat(people.scale()).isEqualTo(new RatingScale(1, 5, "poor", "fine"));
        assertThat(people.grace()).isEqualTo(Duration.ofMillis(500));
        assertThat(people.raters()).isEqualTo(1);
        assertThat(human.choices())
                .containsExactly(Map.entry("reward", "human"), Map.entry("rating-scale", "1 poor .. 5 fine"));
        assertThat(human.trainSettings().episodes().grain()).isEqualTo(Grain.EPISODE);
        assertThat(config("reward", "human", "reward-rate", "3").withoutEffect())
                .containsExactly("reward-rate");
    }

    @Test
    void whatIsForPeopleIsOfNoMatterElsewhereAndNotWrittenDown() {
        assertThat(config().resolved())
                .doesNotContainKeys(Setting.RATING, Setting.RATING_SCALE, Setting.RATERS_PER_EPISODE);
        assertThat(config("rating", "compare").withoutEffect()).containsExactly("rating");
        assertThat(config().people()).isEmpty();
    }

    @Test
    void aScaleThatIsNoneAndRewardsOfStepsByPeopleAreRefused() {
        assertThatThrownBy(() ->
                        config("reward", "human", "rating-scale", "good..bad").people())
                .hasMessageContaining("rating-scale: a rating scale is written 0..10");
        assertThatThrownBy(() ->
                        config("reward", "human", "raters-per-episode", "0").people())
                .hasMessageContaining("raters-per-episode needs a whole number");
        assertThatThrownBy(() -> config("reward", "human", "reward-per", "step").trainSettings())
                .hasMessageContaining("reward-per step cannot be combined with --reward human");
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
    void rewardsOfTasksAreNotExternal() {
        assertThat(Stream.of("builtin", "Sparse", " rating ", "")).noneMatch(RunConfig::isExternalReward);
        assertThat(Stream.of("human", "exec:./judge", "https://judge.example", "java:Judge", "files:/data"))
                .allMatch(RunConfig::isExternalReward);
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
