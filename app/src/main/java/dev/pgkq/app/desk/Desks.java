package dev.pgkq.app.desk;

import dev.pgkq.app.cluster.Cluster;
import dev.pgkq.app.config.RunConfig;
import dev.pgkq.app.config.Setting;
import dev.pgkq.app.ledger.Ledger;
import dev.pgkq.app.oracle.Evaluator;
import dev.pgkq.app.oracle.EvaluatorSettings;
import dev.pgkq.app.oracle.Evaluators;
import dev.pgkq.app.oracle.Patience;
import dev.pgkq.app.people.HumanEvaluator;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.env.Task;
import dev.pgkq.reward.Grain;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** Opens a desk as a run's settings say. */
public final class Desks {
    private Desks() {}

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
            Customer customer,
            Optional<Cluster> cluster) {
        Path run = directory.path();
        String name = directory.name();
        Patience patience = config.people().isPresent() ? withPeople() : patience(config, cluster);
        Spending.Limits limits = new Spending.Limits(
                config.maxEvaluations(),
                config.positive(Setting.MAX_COST, Double.POSITIVE_INFINITY),
                config.notNegative(Setting.COST, 0));
        String ledger = ledger(config, run);
        Evaluator evaluator = config.people()
                .<Evaluator>map(people -> new HumanEvaluator(run, people))
                .orElseGet(() -> evaluator(config.text(Setting.REWARD).strip(), settings(config, name, run), cluster));
        if (config.grain() == Grain.STEP && evaluator.grain().equals(Optional.of(Grain.EPISODE))) {
            evaluator.close();
            throw RewardDesk.unexpected(config.text(Setting.REWARD) + " tells", ledger);
        }
        Spool spool = new Spool(
                run.resolve("spool"), Path.of(System.getProperty("java.io.tmpdir")), id.isEmpty() ? name : id);
        return new RewardDesk(
                evaluator,
                patience,
                new Safekeeping(() -> Ledger.open(ledger), spool, customer, limits.each()),
                task,
                run(name, id),
                config.grain(),
                limits,
                customer.orders(),
                customer.troubles());
    }

    /**
     * What a run is called in its ledger: several machines may share that, and have folders of the same name.
     *
     * @param id tells it from others of its name; empty for a run that was begun before there were any
     */
    public static String run(String name, String id) {
        return id.isEmpty() ? name : name + "#" + id;
    }

    /** Whether two names of runs in a ledger are of the same one: a folder may have been renamed. */
    public static boolean isSameRun(String one, String other) {
        int at = one.indexOf('#');
        return at < 0 || other.indexOf('#') < 0
                ? one.equals(other)
                : one.substring(at).equals(other.substring(other.indexOf('#')));
    }

    /** Where a run keeps what it pays for. */
    public static String ledger(RunConfig config, Path directory) {
        return config.has(Setting.LEDGER)
                ? config.text(Setting.LEDGER)
                : directory.resolve("ledger.db").toString();
    }

    private static Evaluator evaluator(String spec, EvaluatorSettings settings, Optional<Cluster> cluster) {
        return cluster.map(there -> there.evaluator(spec, settings)).orElseGet(() -> Evaluators.parse(spec, settings));
    }

    private static EvaluatorSettings settings(RunConfig config, String name, Path run) {
        EvaluatorSettings usual = EvaluatorSettings.defaults(name, run);
        EvaluatorSettings.Limits limits = usual.limits();
        return timeout(config)
                .map(time ->
                        usual.withLimits(new EvaluatorSettings.Limits(time, limits.connectTimeout(), limits.bytes())))
                .orElse(usual);
    }

    private static Patience patience(RunConfig config, Optional<Cluster> cluster) {
        Patience usual = Patience.defaults();
        return new Patience(
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
    private static Patience withPeople() {
        Patience usual = Patience.defaults();
        return new Patience(
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
