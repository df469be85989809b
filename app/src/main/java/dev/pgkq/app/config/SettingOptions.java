package dev.pgkq.app.config;

import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting.Kind;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The settings as options of the command line: {@code --batch 64} for {@code batch: 64}. */
public final class SettingOptions {
    private SettingOptions() {}

    public static void addTo(CommandSpec spec) {
        for (Setting setting : Setting.values()) {
            OptionSpec.Builder option = OptionSpec.builder("--" + setting.key)
                    .type(String.class)
                    .description(setting.description + setting.fallbackInWords());
            if (setting.kind == Kind.FLAG) {
                option.arity("0..1").fallbackValue("true").paramLabel("true|false");
            } else {
                option.arity("1").paramLabel(setting.label);
            }
            spec.addOption(option.build());
        }
    }

    /** What was given on the command line. */
    public static Map<Setting, Given> given(ParseResult parsed) {
        Map<Setting, Given> values = new EnumMap<>(Setting.class);
        for (Setting setting : Setting.values()) {
            String option = "--" + setting.key;
            if (parsed.hasMatchedOption(option)) {
                values.put(setting, new Given(parsed.matchedOptionValue(option, ""), option));
            }
        }
        return values;
    }
}
