package dev.pgkq.spark;

import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.spark.EvaluationOutcome.Kind;
import dev.pgkq.text.UserException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/** The Spark task of one evaluation. It always returns an outcome, so that Spark has no failure to retry. */
record EvaluationTask(RemoteOracle oracle, Request request) implements Function<Integer, EvaluationOutcome> {
    @Override
    public EvaluationOutcome call(Integer unused) throws InterruptedException {
        InterruptSignals.ignoreOnExecutor();
        TaskContext task = TaskContext.get();
        if (task.attemptNumber() > 0 || task.stageAttemptNumber() > 0) {
            return EvaluationOutcome.failed(
                    Kind.LOST, "the executor was lost during the evaluation; whether it finished is unknown");
        }
        try {
            return EvaluationOutcome.of(oracle.open().evaluate(request));
        } catch (EvaluationException e) {
            return EvaluationOutcome.failed(e);
        } catch (UserException e) {
            return EvaluationOutcome.failed(
                    Kind.USER_ERROR, EvaluationOutcome.onThisHost(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            return EvaluationOutcome.failed(Kind.TRANSIENT, EvaluationOutcome.onThisHost(e.toString()));
        }
    }
}
