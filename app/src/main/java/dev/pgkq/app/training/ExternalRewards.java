package dev.pgkq.app.training;

import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.Task;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.cluster.Cluster;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.desk.GrainMismatch;
import dev.pgkq.rewards.desk.RewardDesk;
import dev.pgkq.rewards.desk.RewardListener;
import dev.pgkq.rewards.desk.Spent;
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
import java.util.OptionalDouble;

/** Opens the source of external rewards and finds their ledger, as the settings of a run say. */
public final class ExternalRewards {
    private ExternalRewards() {}

    /**
     * Checks the settings and opens the source. The ledger is opened with the first request.
     *
     * @param grain what training expects of an answer
     * @param cluster that evaluates the rewards; empty if this process does
     */
    public static RewardDesk open(
            RunConfig config,
            Grain grain,
            Task task,
            RunDirectory directory,
            String id,
            RewardListener listener,
            Optional<Cluster> cluster) {
        Path run = directory.path();
        String name = directory.name();
        RetryPolicy retries = config.people().isPresent() ? retriesWithPeople() : retries(config, cluster);
        Budget budget = new Budget(
                config.maxEvaluations(),
                config.realOr(Setting.MAX_COST, Double.POSITIVE_INFINITY),
                config.realOr(Setting.COST, 0),
                costOfFailure(config));
        String ledger = ledger(config, run);
        Evaluator evaluator = config.people()
                .<Evaluator>map(people -> new HumanEvaluator(run, people))
                .orElseGet(() -> evaluator(config.text(Setting.REWARD), settings(config, name, run), cluster));
        try {
            RewardDesk desk = RewardDesk.open(
                    evaluator,
                    retries,
                    ledger,
                    budget,
                    task,
                    RunName.of(name, id),
                    run.resolve("spool"),
                    grain,
                    listener);
            desk.useVersion(config.count(Setting.REWARD_VERSION), config.isOnCommandLine(Setting.REWARD_VERSION));
            return desk;
        } catch (GrainMismatch e) {
            throw RewardOptions.explained(e);
        }
    }

    /** The location of a run's ledger: the one that its settings name, or a file in its directory. */
    public static String ledger(RunConfig config, Path directory) {
        return config.has(Setting.LEDGER)
                ? config.text(Setting.LEDGER)
                : directory.resolve(Ledger.FILE).toString();
    }

    /** What the run has paid for without being in its ledger any more, according to its newest checkpoint. */
    public static Spent lost(RunDirectory directory) {
        return directory
                .checkpoints()
                .newest()
                .map(newest -> SavedPayments.of(newest.saved().snapshot()).lost())
                .orElse(Spent.NOTHING);
    }

    /** A question that nobody has answered has cost nothing. */
    private static OptionalDouble costOfFailure(RunConfig config) {
        if (config.people().isPresent()) {
            return OptionalDouble.of(0);
        }
        return config.has(Setting.COST_OF_FAILURE)
                ? OptionalDouble.of(config.real(Setting.COST_OF_FAILURE))
                : OptionalDouble.empty();
    }

    private static Evaluator evaluator(String spec, EvaluatorSettings settings, Optional<Cluster> cluster) {
        return cluster.map(there -> there.evaluator(spec, settings)).orElseGet(() -> Evaluators.open(spec, settings));
    }

    private static EvaluatorSettings settings(RunConfig config, String name, Path run) {
        EvaluatorSettings usual = EvaluatorSettings.defaults(name, run).withPython(config.text(Setting.PYTHON));
        EvaluatorSettings.Limits limits = usual.limits();
        return timeout(config)
                .map(time ->
                        usual.withLimits(new EvaluatorSettings.Limits(time, limits.connectTimeout(), limits.bytes())))
                .orElse(usual);
    }

    private static RetryPolicy retries(RunConfig config, Optional<Cluster> cluster) {
        RetryPolicy usual = RetryPolicy.defaults();
        return new RetryPolicy(
                config.countOr(Setting.REWARD_ATTEMPTS, usual.attempts()),
                // a cluster enforces the timeout itself, and not while an evaluation waits for its turn
                cluster.isPresent() ? Optional.empty() : timeout(config),
                usual.firstPause(),
                usual.longestPause(),
                usual.longestWait(),
                config.realOr(Setting.REWARD_RATE, usual.perMinute()),
                config.countOr(
                        Setting.REWARDS_AT_ONCE, cluster.map(Cluster::cores).orElse(usual.atOnce())));
    }

    /** People see all requests at once, and the queue of ratings enforces the timeout. */
    private static RetryPolicy retriesWithPeople() {
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
        double seconds = config.realOr(Setting.REWARD_TIMEOUT, 0);
        return seconds > 0 ? Optional.of(Duration.ofNanos((long) (1e9 * seconds))) : Optional.empty();
    }
}
