package dev.pgkq.benchmarks;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.RunConfig.Given;
import dev.pgkq.app.config.Setting;
import dev.pgkq.reward.TaskReward;
import dev.pgkq.text.UserException;
import dev.pgkq.train.TrainSettings;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A way to estimate the gradient of a batch, given by the settings of a run.
 *
 * @param name in the table
 * @param settings {@code key=value}, with the keys of the command line
 */
record Contender(String name, List<String> settings) {
    /** The setting that no run has: another rule that chooses the episodes of kq-bayes. */
    private static final String CHOICE = "choice=";

    private static final Set<Setting> OF_THE_RUN = EnumSet.of(Setting.REWARD, Setting.BATCH, Setting.SEED);

    /** Parses {@code name: key=value key=value …}; without settings, the algorithm is {@code algo=ppo-NAME}. */
    static Contender parse(String text) {
        String[] parts = text.split(":", 2);
        String name = parts[0].strip();
        String rest = parts.length > 1 ? parts[1].strip() : "";
        return new Contender(name, rest.isEmpty() ? List.of("algo=ppo-" + name) : List.of(rest.split("\\s+", -1)));
    }

    /** The settings, with reward, batch, seed and advantages of the run: all estimate the same gradient. */
    TrainSettings settings(TrainSettings run, TaskReward reward) {
        Map<Setting, Given> given = new EnumMap<>(Setting.class);
        for (String setting : settings) {
            if (setting.startsWith(CHOICE)) {
                continue;
            }
            String[] parts = setting.split("=", 2);
            Setting key = Setting.named(parts[0])
                    .orElseThrow(() -> new UserException(name + ": unknown setting '" + parts[0] + "'"));
            if (OF_THE_RUN.contains(key)) {
                throw new UserException(
                        name + ": " + key.key() + " is that of the run and cannot be set; leave it out");
            }
            given.put(key, new Given(parts.length > 1 ? parts[1] : "true", setting));
        }
        given.put(Setting.REWARD, new Given(reward.name().toLowerCase(Locale.ROOT), "reward"));
        given.put(Setting.BATCH, new Given(Integer.toString(run.episodes().batch()), "batch"));
        given.putIfAbsent(
                Setting.SELECT,
                new Given(Integer.toString(run.episodes().select().most()), "select"));
        given.put(Setting.SEED, new Given(Long.toString(run.seed()), "seed"));
        return RunConfig.of(given).trainSettings().withAdvantage(run.advantage());
    }

    /** The rule that replaces that of kq-bayes; empty if none does. */
    Optional<BayesianChoice.Rule> choice() {
        return settings.stream()
                .filter(setting -> setting.startsWith(CHOICE))
                .map(setting -> rule(setting.substring(CHOICE.length())))
                .findFirst();
    }

    private BayesianChoice.Rule rule(String label) {
        return Arrays.stream(BayesianChoice.Rule.values())
                .filter(rule -> label(rule).equals(label))
                .findFirst()
                .orElseThrow(() -> new UserException(name + ": choice needs one of "
                        + Arrays.stream(BayesianChoice.Rule.values())
                                .map(Contender::label)
                                .collect(Collectors.joining(", "))
                        + ", got '" + label + "'"));
    }

    private static String label(BayesianChoice.Rule rule) {
        return rule.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Whether it pays for n episodes that nothing chose, and has no posterior: what kq-bayes has to be better than. */
    boolean isControl() {
        return settings.stream()
                .filter(setting -> setting.startsWith("algo="))
                .noneMatch(
                        setting -> setting.contains("-kq") || setting.contains("-large") || setting.contains("-bayes"));
    }
}
