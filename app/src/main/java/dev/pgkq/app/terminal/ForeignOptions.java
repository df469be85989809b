package dev.pgkq.app.terminal;

import dev.pgkq.text.NearestNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Suggests options for those that other libraries of reinforcement learning have. */
public final class ForeignOptions {
    private static final Map<String, String> OURS = Map.ofEntries(
            Map.entry("total-timesteps", "--iterations"),
            Map.entry("timesteps", "--iterations"),
            Map.entry("total-steps", "--iterations"),
            Map.entry("n-timesteps", "--iterations"),
            Map.entry("updates", "--iterations"),
            Map.entry("env-id", "--env"),
            Map.entry("algorithm", "--algo"),
            Map.entry("n-steps", "--batch"),
            Map.entry("num-steps", "--batch"),
            Map.entry("rollout-steps", "--batch"),
            Map.entry("episodes", "--batch"),
            Map.entry("budget", "--max-evaluations"),
            Map.entry("gamma", "--discount"),
            Map.entry("lr", "--learning-rate"),
            Map.entry("lr-schedule", "--learning-rate-schedule"),
            Map.entry("anneal-lr", "--learning-rate-schedule"),
            Map.entry("net-arch", "--hidden"),
            Map.entry("hidden-sizes", "--hidden"),
            Map.entry("hidden-layers", "--hidden"),
            Map.entry("activation-fn", "--activation"),
            Map.entry("ent-coef", "--entropy"),
            Map.entry("entropy-coef", "--entropy"),
            Map.entry("clip-range", "--clip"),
            Map.entry("clip-coef", "--clip"),
            Map.entry("n-epochs", "--epochs"),
            Map.entry("update-epochs", "--epochs"),
            Map.entry("num-minibatches", "--minibatches"),
            Map.entry("n-envs", "--threads"),
            Map.entry("num-envs", "--threads"),
            Map.entry("num-workers", "--threads"),
            Map.entry("logdir", "--out"),
            Map.entry("log-dir", "--out"),
            Map.entry("output-dir", "--out"),
            Map.entry("tensorboard-log", "--tensorboard"),
            Map.entry("norm-adv", "--standardize"),
            Map.entry("normalize-advantage", "--standardize"));

    private ForeignOptions() {}

    /**
     * A hint to append to the message about an unknown option.
     *
     * @param typed the unknown option
     * @param known the options of the command
     */
    public static String hint(String typed, List<String> known) {
        String name = typed.replaceFirst("^-+", "").replaceFirst("=.*", "").replace('_', '-');
        String ours = OURS.getOrDefault(name.toLowerCase(Locale.ROOT), "");
        return known.contains(ours) ? "; did you mean " + ours + "?" : NearestNames.hint(typed, known);
    }
}
