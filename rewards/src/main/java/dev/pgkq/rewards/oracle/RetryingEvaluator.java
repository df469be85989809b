package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.DoubleSupplier;

/**
 * Asks another evaluator until there is an answer, with pauses, not too fast, not too often and not too many at once. The
 * limits hold for all threads together; who pauses takes up no place.
 *
 * <p>Attempts are counted on from the request's own: a run that goes on after a crash gives the number it had come to.
 */
public final class RetryingEvaluator implements Evaluator {
    /** How long an attempt that was cancelled may take to clean up before nobody waits for it any more. */
    private static final Duration CLEANING_UP = Duration.ofSeconds(15);

    /** Attempts that are not held against the oracle, at most: at some time it may be what everybody dies of. */
    private static final int MOST_LOST = 50;

    private final Evaluator evaluator;
    private final RetryPolicy patience;
    private final AttemptListener listener;
    private final Time time;
    private final DoubleSupplier random;
    private final Semaphore places;
    private final RateLimit rate;

    /** Pauses are random, but not keyed by the run's seed: nothing is computed from them, and runs should differ in them. */
    public RetryingEvaluator(Evaluator evaluator, RetryPolicy patience, AttemptListener listener) {
        this(
                evaluator,
                patience,
                listener,
                Time.REAL,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param random uniform on [0, 1), for all threads
     */
    RetryingEvaluator(
            Evaluator evaluator, RetryPolicy patience, AttemptListener listener, Time time, DoubleSupplier random) {
        this.evaluator = evaluator;
        this.patience = patience;
        this.listener = listener;
        this.time = time;
        this.random = random;
        this.places = new Semaphore(patience.atOnce(), true);
        this.rate = new RateLimit(patience.perMinute(), time);
    }

    @Override
    public String identity() {
        return evaluator.identity();
    }

    @Override
    public Optional<Grain> grain() {
        return evaluator.grain();
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        int lost = 0;
        for (int made = 1; ; made++) {
            Request attempt = request.withAttempt(request.attempt() + made - 1);
            try {
                return inPlace(attempt);
            } catch (EvaluationException failure) {
                lost += failure.isLost() && lost < MOST_LOST ? 1 : 0;
                Optional<Duration> pause = pause(failure, made - lost);
                listener.onFailure(attempt, failure, pause);
                if (pause.isEmpty()) {
                    throw made == 1 ? failure : gaveUp(failure, made);
                }
                time.sleep(pause.get());
            }
        }
    }

    /** The pause before the next attempt; empty if there should be none. */
    private Optional<Duration> pause(EvaluationException failure, int made) {
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (!failure.retryable() || made >= patience.attempts() || asked.compareTo(patience.longestWait()) > 0) {
            return Optional.empty();
        }
        return Optional.of(asked.plus(patience.pause(Math.max(1, made), random.getAsDouble())));
    }

    private static EvaluationException gaveUp(EvaluationException last, int made) {
        return EvaluationException.lasting("gave up after " + made + " attempts; at last: " + last.getMessage(), last);
    }

    private Reply inPlace(Request request) throws EvaluationException, InterruptedException {
        places.acquire();
        try {
            rate.take();
            listener.onAttempt(request);
            Reply answer = patience.timeout().isEmpty()
                    ? evaluator.evaluate(request)
                    : inTime(request, patience.timeout().get());
            listener.onAnswer(request, answer);
            return answer;
        } finally {
            places.release();
        }
    }

    /** In a thread of its own, as whoever is evaluated there may not look at the clock; but an interrupt cancels. */
    private Reply inTime(Request request, Duration limit) throws EvaluationException, InterruptedException {
        FutureTask<Reply> task = new FutureTask<>(() -> evaluator.evaluate(request));
        Thread thread = Thread.ofPlatform().name("pgkq-oracle-attempt").daemon().start(task);
        try {
            return task.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw EvaluationException.passing(identity() + " did not answer within " + Durations.format(limit));
        } catch (ExecutionException e) {
            throw rethrown(e);
        } finally {
            if (task.cancel(true)) {
                cleanUp(thread);
            }
        }
    }

    private static void cleanUp(Thread thread) {
        boolean interrupted = Thread.interrupted();
        try {
            thread.join(CLEANING_UP);
        } catch (InterruptedException e) {
            interrupted = true;
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static EvaluationException rethrown(ExecutionException e) throws InterruptedException {
        return switch (e.getCause()) {
            case EvaluationException failure -> failure;
            case InterruptedException cancelled -> throw cancelled;
            case RuntimeException bug -> throw bug;
            case Error error -> throw error;
            case null, default -> EvaluationException.lasting(String.valueOf(e.getMessage()), e);
        };
    }

    @Override
    public void close() {
        evaluator.close();
    }
}
