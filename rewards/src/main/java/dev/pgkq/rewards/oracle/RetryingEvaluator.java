package dev.pgkq.rewards.oracle;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.request.Reply;
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
 * Retries another evaluator until there is an answer, within the limits of a {@link RetryPolicy}. The limits hold for all threads
 * together; evaluations that pause between attempts do not count as concurrent.
 *
 * <p>Attempts are numbered from the request's own: a run that is resumed after a crash continues the count.
 */
public final class RetryingEvaluator implements Evaluator {
    /** How long to wait for a cancelled attempt to clean up. */
    private static final Duration CLEANING_UP = Duration.ofSeconds(15);

    /** Maximum number of lost attempts that do not count: the evaluation itself may be what kills the machines. */
    private static final int MOST_LOST = 50;

    private final Evaluator evaluator;
    private final RetryPolicy policy;
    private final AttemptListener listener;
    private final Time time;
    private final DoubleSupplier random;
    private final Semaphore slots;
    private final RateLimit rate;

    /**
     * Retries {@code evaluator}, and closes it when this one is closed.
     *
     * <p>Pauses are random but not keyed by the run's seed: no result depends on them, and runs should differ in them.
     */
    public RetryingEvaluator(Evaluator evaluator, RetryPolicy policy, AttemptListener listener) {
        this(
                evaluator,
                policy,
                listener,
                Time.REAL,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * @param random uniform on [0, 1), thread-safe
     */
    RetryingEvaluator(
            Evaluator evaluator, RetryPolicy policy, AttemptListener listener, Time time, DoubleSupplier random) {
        this.evaluator = evaluator;
        this.policy = policy;
        this.listener = listener;
        this.time = time;
        this.random = random;
        this.slots = new Semaphore(policy.atOnce(), true);
        this.rate = new RateLimit(policy.perMinute(), time);
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
    public String rightAnswer(int length) {
        return evaluator.rightAnswer(length);
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        int lost = 0;
        for (int made = 1; ; made++) {
            Request numbered = request.withAttempt(request.attempt() + made - 1);
            try {
                return attempt(numbered);
            } catch (EvaluationException failure) {
                lost += failure.isLost() && lost < MOST_LOST ? 1 : 0;
                Optional<Duration> pause = listener.onFailure(numbered, failure, pause(failure, made - lost));
                if (pause.isEmpty()) {
                    throw made == 1 ? failure : gaveUp(failure, made);
                }
                time.sleep(pause.get());
            }
        }
    }

    /** The pause before the next attempt; empty if there is none. */
    private Optional<Duration> pause(EvaluationException failure, int made) {
        Duration asked = failure.retryAfter().orElse(Duration.ZERO);
        if (!failure.retryable() || made >= policy.attempts() || asked.compareTo(policy.longestWait()) > 0) {
            return Optional.empty();
        }
        return Optional.of(asked.plus(policy.pause(Math.max(1, made), random.getAsDouble())));
    }

    private static EvaluationException gaveUp(EvaluationException last, int made) {
        return last.givenUp("gave up after " + made + " attempts; last error: " + last.getMessage());
    }

    private Reply attempt(Request request) throws EvaluationException, InterruptedException {
        slots.acquire();
        try {
            rate.take();
            listener.onAttempt(request);
            Reply answer = policy.timeout().isEmpty()
                    ? evaluator.evaluate(request)
                    : inTime(request, policy.timeout().get());
            requireRewardForEveryStep(request, answer);
            listener.onAnswer(request, answer);
            return answer;
        } finally {
            slots.release();
        }
    }

    /** An application's own evaluator may be wrong, too: the ledger takes no answer that does not fit its episode. */
    private void requireRewardForEveryStep(Request request, Reply answer) throws EvaluationException {
        int rewards = answer.values().length;
        int steps = request.episode().length();
        if (answer.grain() == Grain.STEP && rewards != steps) {
            throw EvaluationException.temporary(identity() + " returned " + rewards
                            + (rewards == 1 ? " reward" : " rewards") + " for an episode of " + steps
                            + (steps == 1 ? " step" : " steps"))
                    .againstContract()
                    .withCost(answer.cost());
        }
    }

    /**
     * Evaluates in a separate thread, because evaluators need not check the time; an interrupt cancels it. An answer that is there
     * nevertheless is used, since it is paid for: the program had answered, and processes that it left behind were being ended.
     */
    private Reply inTime(Request request, Duration limit) throws EvaluationException, InterruptedException {
        FutureTask<Reply> task = new FutureTask<>(() -> evaluator.evaluate(request));
        Thread thread = Thread.ofPlatform().name("pgkq-oracle-attempt").daemon().start(task);
        try {
            return task.get(TimeUnit.NANOSECONDS.convert(limit), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            thread.interrupt();
            return late(task, limit);
        } catch (ExecutionException e) {
            throw rethrown(e);
        } finally {
            if (task.cancel(true)) {
                cleanUp(thread);
            }
        }
    }

    private Reply late(FutureTask<Reply> task, Duration limit) throws EvaluationException, InterruptedException {
        try {
            return task.get(TimeUnit.NANOSECONDS.convert(CLEANING_UP), TimeUnit.NANOSECONDS);
        } catch (TimeoutException | ExecutionException e) {
            throw EvaluationException.temporary(identity() + " did not answer within " + Durations.format(limit))
                    .with(EvaluationException.Call.IN_DOUBT);
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
            case null, default -> EvaluationException.permanent(String.valueOf(e.getMessage()), e);
        };
    }

    @Override
    public void close() {
        evaluator.close();
    }
}
