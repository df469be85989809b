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
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.spark.api.java.JavaFutureAction;

/**
 * Evaluates rewards on executors, each in a job of one task. Spark repeats a task whose executor is lost; the repeated task
 * evaluates nothing and only reports the loss, because only the desk may start another attempt, after it has recorded the
 * attempt in the ledger. So nothing is paid for twice without the ledger's knowledge, and an evaluation that was in progress on
 * a lost executor is treated like any other whose outcome is unknown.
 */
final class ClusterEvaluator implements Evaluator {
    private final SparkCluster cluster;
    private final Evaluator local;
    private final RemoteOracle oracle;

    /** Opens the oracle on the driver, too, so that errors in its description show before anything is sampled. */
    ClusterEvaluator(SparkCluster cluster, String spec, EvaluatorSettings settings) {
        this.cluster = cluster;
        this.local = Evaluators.open(spec, settings);
        this.oracle = new RemoteOracle(
                spec,
                settings.run(),
                settings.startFolder().toString(),
                settings.limits().timeout(),
                settings.limits().bytes());
    }

    @Override
    public String identity() {
        return local.identity();
    }

    @Override
    public Map<String, String> contents() {
        return local.contents();
    }

    @Override
    public Optional<Grain> grain() {
        return local.grain();
    }

    @Override
    public List<String> warnings() {
        return local.warnings();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        String group = "reward " + request.idempotencyKey() + "." + request.attempt();
        JavaFutureAction<List<EvaluationOutcome>> job = cluster.run("evaluating a reward", () -> {
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
            cluster.throwIfUnavailable(e);
            String reason = String.valueOf(e.getCause()).lines().findFirst().orElse("");
            throw EvaluationException.lost("the cluster did not run the evaluation: " + Excerpt.first(reason));
        } finally {
            job.cancel(true);
        }
    }

    @Override
    public void close() {
        local.close();
    }
}
