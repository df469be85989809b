package dev.pgkq.rewards.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** An evaluation in a separate thread, which can be interrupted. */
record Background(FutureTask<Reply> task, Thread thread) {
    /** Longer than any evaluation here takes on a busy machine. */
    static final Duration LONG = Duration.ofSeconds(60);

    static Background evaluate(Evaluator evaluator, Request request) {
        FutureTask<Reply> task = new FutureTask<>(() -> evaluator.evaluate(request));
        return new Background(task, Thread.ofPlatform().daemon().start(task));
    }

    Reply answer() throws InterruptedException, ExecutionException, TimeoutException {
        return task.get(LONG.toSeconds(), TimeUnit.SECONDS);
    }

    static void await(String what, BooleanSupplier condition) throws InterruptedException {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - start).as(what).isLessThan(LONG.toNanos());
            Thread.sleep(5);
        }
    }
}
