package dev.pgkq.spark;

import dev.pgkq.app.oracle.EvaluationException;
import dev.pgkq.app.oracle.Request;
import dev.pgkq.text.UserException;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;

/** The task of a reward. It answers in any case, so that Spark has nothing to try again. */
record Asking(Oracle oracle, Request request) implements Function<Integer, Told> {
    @Override
    public Told call(Integer any) throws InterruptedException {
        Interrupts.leaveToTheDriver();
        TaskContext task = TaskContext.get();
        if (task.attemptNumber() > 0 || task.stageAttemptNumber() > 0) {
            return Told.failed(
                    Told.Kind.LOST, "the executor that asked is gone; whether there was an answer is not known");
        }
        try {
            return Told.of(oracle.open().evaluate(request));
        } catch (EvaluationException e) {
            return Told.failed(e);
        } catch (UserException e) {
            return Told.failed(Told.Kind.MISTAKE, Told.here(String.valueOf(e.getMessage())));
        } catch (RuntimeException e) {
            return Told.failed(Told.Kind.PASSING, Told.here(e.toString()));
        }
    }
}
