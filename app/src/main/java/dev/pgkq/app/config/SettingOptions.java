package dev.pgkq.app.config;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.SettingSpec.Defaults;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.train.Algorithm;
import dev.pgkq.train.TrainSettings;
import dev.pgkq.train.TrainSettings.Preset;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings as options of the command line: {@code --batch 64} for {@code batch: 64}. */
public final class SettingOptions {
    private SettingOptions() {}

    public static void addTo(CommandSpec spec) {
        for (Setting setting : Setting.values()) {
            OptionSpec.Builder option = OptionSpec.builder(name(setting))
                    .type(String.class)
                    .paramLabel(setting.spec().label())
                    .description(setting.description() + defaults(setting));
            spec.addOption(
                    setting.spec().isFlag()
                            ? option.arity("0..1").fallbackValue("true").build()
                            : option.arity("1").build());
        }
    }

    private static String name(Setting setting) {
        return "--" + setting.key();
    }

    /** The options of a group: all, or those that most people need. */
    public static List<String> names(Group group, boolean all) {
        return Arrays.stream(Setting.values())
                .filter(setting ->
                        setting.group() == group && (all || setting.spec().isBasic()))
                .map(SettingOptions::name)
                .toList();
    }

    /** What was given on the command line. */
    public static Map<Setting, Given> given(ParseResult parsed) {
        Map<Setting, Given> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String option = name(setting);
            if (parsed.hasMatchedOption(option)) {
                values.put(setting, new Given(parsed.matchedOptionValue(option, ""), option));
            }
        }
        return values;
    }

    /** The default in words; some depend on the algorithm, the preset or the reward. */
    private static String defaults(Setting setting) {
        String usual = fallback(setting, Preset.STANDARD, Setting.DEFAULT_ALGORITHM, Grain.STEP);
        if (usual.isEmpty()) {
            return "";
        }
        Map<String, String> others = new LinkedHashMap<>();
        others.put("vpg", fallback(setting, Preset.STANDARD, "vpg-kq", Grain.STEP));
        others.put("kq-plus", fallback(setting, Preset.STANDARD, "ppo-kq-plus", Grain.STEP));
        others.put("--preset paper", fallback(setting, Preset.PAPER, Setting.DEFAULT_ALGORITHM, Grain.STEP));
        TrainSettings standard = TrainSettings.defaults(Algorithm.named(Setting.DEFAULT_ALGORITHM), 0);
        others.put(
                "--reward rating",
                fallback(setting, standard, RewardChoice.of(Words.of(TaskReward.RATING)), RewardPer.AUTO));
        if (setting.group() == Group.ADVANTAGES) {
            others.put(
                    "one reward per episode",
                    fallback(setting, Preset.STANDARD, Setting.DEFAULT_ALGORITHM, Grain.EPISODE));
        }
        StringBuilder text = new StringBuilder(" (default: ").append(usual);
        others.forEach((when, other) -> text.append(other.equals(usual) ? "" : "; " + when + ": " + other));
        return text.append(')').toString();
    }

    private static String fallback(Setting setting, Preset preset, String algorithm, Grain grain) {
        TrainSettings train = TrainSettings.defaults(preset, Algorithm.named(algorithm), grain, 0);
        return fallback(setting, train, RewardChoice.BUILTIN, preset == Preset.PAPER ? RewardPer.STEP : RewardPer.AUTO);
    }

    private static String fallback(Setting setting, TrainSettings train, RewardChoice reward, RewardPer per) {
        return setting.spec()
                .fallback()
                .apply(new Defaults(train, reward, per))
                .map(SettingSpec::spelled)
                .orElse("");
    }
}
