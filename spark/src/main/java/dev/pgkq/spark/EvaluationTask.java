package dev.pgkq.spark;

import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/** The task of a reward. It answers in any case, so that Spark has nothing to try again. */
record EvaluationTask(RemoteOracle oracle, Request request) implements Function<Integer, EvaluationOutcome> {
    @Override
    public EvaluationOutcome call(Integer any) throws InterruptedException {
        Interrupts.leaveToTheDriver();
        TaskContext task = TaskContext.get();
        if (task.attemptNumber() > 0 || task.stageAttemptNumber() > 0) {
            return EvaluationOutcome.failed(
                    EvaluationOutcome.Kind.LOST,
                    "the executor that asked is gone; whether there was an answer is not known");
        }
        try {
            return EvaluationOutcome.of(oracle.open().evaluate(request));
        } catch (EvaluationException e) {
            return EvaluationOutcome.failed(e);
        } catch (UserException e) {
            return EvaluationOutcome.failed(
                    EvaluationOutcome.Kind.MISTAKE, EvaluationOutcome.here(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            return EvaluationOutcome.failed(EvaluationOutcome.Kind.PASSING, EvaluationOutcome.here(e.toString()));
        }
    }
}
