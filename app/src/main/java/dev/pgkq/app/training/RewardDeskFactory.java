package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.Task;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.desk.GrainMismatch;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.RunName;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.people.HumanEvaluator;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens a desk as a run's settings say. */
public final class RewardDeskFactory {
    private RewardDeskFactory() {}

    /**
     * Checks what can be checked; the ledger is opened when the first reward is asked for.
     *
     * @param cluster that asks for rewards, if one does
     */
    public static RewardDesk open(
            RunConfig config,
            Task task,
            RunDirectory directory,
            String id,
            RewardListener customer,
            Optional<Cluster> cluster) {
        Path run = directory.path();
        String name = directory.name();
        RetryPolicy patience = config.people().isPresent() ? withPeople() : patience(config, cluster);
        Budget budget = new Budget(
                config.maxEvaluations(),
                config.positive(Setting.MAX_COST, Double.POSITIVE_INFINITY),
                config.notNegative(Setting.COST, 0));
        String ledger = ledger(config, run);
        Evaluator evaluator = config.people()
                .<Evaluator>map(people -> new HumanEvaluator(run, people))
                .orElseGet(() -> evaluator(config.text(Setting.REWARD).strip(), settings(config, name, run), cluster));
        try {
            return RewardDesk.open(
                    evaluator,
                    patience,
                    ledger,
                    budget,
                    task,
                    RunName.of(name, id),
                    run.resolve("spool"),
                    config.grain(),
                    customer);
        } catch (GrainMismatch e) {
            throw RewardOptions.explained(e);
        }
    }

    /** Where a run keeps what it pays for. */
    public static String ledger(RunConfig config, Path directory) {
        return config.has(Setting.LEDGER)
                ? config.text(Setting.LEDGER)
                : directory.resolve(Ledger.FILE).toString();
    }

    private static Evaluator evaluator(String spec, EvaluatorSettings settings, Optional<Cluster> cluster) {
        return cluster.map(there -> there.evaluator(spec, settings)).orElseGet(() -> Evaluators.open(spec, settings));
    }

    private static EvaluatorSettings settings(RunConfig config, String name, Path run) {
        EvaluatorSettings usual = EvaluatorSettings.defaults(name, run);
        EvaluatorSettings.Limits limits = usual.limits();
        return timeout(config)
                .map(time ->
                        usual.withLimits(new EvaluatorSettings.Limits(time, limits.connectTimeout(), limits.bytes())))
                .orElse(usual);
    }

    private static RetryPolicy patience(RunConfig config, Optional<Cluster> cluster) {
        RetryPolicy usual = RetryPolicy.defaults();
        return new RetryPolicy(
                config.countOr(Setting.REWARD_ATTEMPTS, usual.attempts()),
                // on a cluster time is taken there: it does not run while an evaluation waits for its turn
                cluster.isPresent() ? Optional.empty() : timeout(config),
                usual.firstPause(),
                usual.longestPause(),
                usual.longestWait(),
                config.positive(Setting.REWARD_RATE, usual.perMinute()),
                config.countOr(
                        Setting.REWARDS_AT_ONCE, cluster.map(Cluster::cores).orElse(usual.atOnce())));
    }

    /** People are shown all that is wanted, and it is for the queue to say that time is up. */
    private static RetryPolicy withPeople() {
        RetryPolicy usual = RetryPolicy.defaults();
        return new RetryPolicy(
                1,
                Optional.empty(),
                usual.firstPause(),
                usual.longestPause(),
                usual.longestWait(),
                Double.POSITIVE_INFINITY,
                Integer.MAX_VALUE);
    }

    private static Optional<Duration> timeout(RunConfig config) {
        double seconds = config.positive(Setting.REWARD_TIMEOUT, 0);
        return seconds > 0 ? Optional.of(Duration.ofNanos((long) (1e9 * seconds))) : Optional.empty();
    }
}
