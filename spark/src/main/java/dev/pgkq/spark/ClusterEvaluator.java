package dev.pgkq.spark;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.EvaluatorSettings;
import dev.pgkq.rewards.oracle.Evaluators;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.Excerpt;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.spark.api.java.JavaFutureAction;

/**
 * Asks for rewards on executors, each in a job of one task. Spark does a task again when its executor is gone; this one then
 * answers that it was lost and asks nobody, since only the desk may ask again, after it has written that down. So nothing is
 * paid for twice behind the ledger's back, and what was under way on a lost executor is in doubt like any other.
 */
final class ClusterEvaluator implements Evaluator {
    private final SparkCluster cluster;
    private final Evaluator here;
    private final RemoteOracle oracle;

    /** Opens it here, too: what is wrong with it shows before anything is sampled. */
    ClusterEvaluator(SparkCluster cluster, String spec, EvaluatorSettings settings) {
        this.cluster = cluster;
        this.here = Evaluators.open(spec, settings);
        this.oracle = new RemoteOracle(
                spec,
                settings.run(),
                settings.startFolder().toString(),
                settings.limits().timeout(),
                settings.limits().bytes());
    }

    @Override
    public String identity() {
        return here.identity();
    }

    @Override
    public Optional<Grain> grain() {
        return here.grain();
    }

    @Override
    public List<String> warnings() {
        return here.warnings();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        String group = "reward " + request.idempotencyKey() + "." + request.attempt();
        JavaFutureAction<List<EvaluationOutcome>> job = cluster.run("asking for a reward", () -> {
            cluster.context().setJobGroup(group, group, true);
            try {
                return cluster.context()
                        .parallelize(List.of(0), 1)
                        .map(new EvaluationTask(oracle, request))
                        .collectAsync();
            } finally {
                cluster.context().clearJobGroup();
            }
        });
        try {
            return job.get().getFirst().reply();
        } catch (ExecutionException e) {
            cluster.requireAnybody(e);
            String reason = String.valueOf(e.getCause()).lines().findFirst().orElse("");
            throw EvaluationException.lost("the cluster did not do it: " + Excerpt.first(reason));
        } finally {
            job.cancel(true);
        }
    }

    @Override
    public void close() {
        here.close();
    }
}
