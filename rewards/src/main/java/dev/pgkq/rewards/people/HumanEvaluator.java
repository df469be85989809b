package dev.pgkq.rewards.people;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.people.PeopleQueue.Outcome;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks people through the queue of the run ({@link PeopleQueue}). Episodes that are requested together are posted and answered
 * together. A background thread checks regularly whether the iteration can be closed, which only training does.
 */
public final class HumanEvaluator implements Evaluator {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final Path runDirectory;
    private final PeopleSettings settings;
    private final InstantSource clock;
    private final Map<String, CompletableFuture<Outcome>> waiting = new ConcurrentHashMap<>();
    private final ScheduledExecutorService poller = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("pgkq-people").daemon().factory());
    private @Nullable PeopleQueue queue;
    private boolean closed;

    /** Creates an evaluator. The queue is created or opened when the first episode is requested. */
    public HumanEvaluator(Path runDirectory, PeopleSettings settings) {
        this(runDirectory, settings, InstantSource.system());
    }

    HumanEvaluator(Path runDirectory, PeopleSettings settings, InstantSource clock) {
        this.runDirectory = runDirectory;
        this.settings = settings;
        this.clock = clock;
    }

    private synchronized PeopleQueue queue() {
        if (closed) {
            throw new IllegalStateException("closed");
        }
        if (queue == null) {
            queue = PeopleQueue.open(runDirectory, settings, clock);
            poller.scheduleWithFixedDelay(this::poll, 0, POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
        }
        return queue;
    }

    private synchronized boolean isClosed() {
        return closed;
    }

    /**
     * Contains the scale, because ratings on another scale are other answers. Scores from comparisons are comparable only within
     * their run, so the identity contains the id of the queue then.
     */
    @Override
    public String identity() {
        return PeopleSettings.REWARD
                + switch (settings.rating()) {
                    case SCALE -> ":scale " + settings.scale().text();
                    case COMPARE -> ":compare " + queue().id();
                };
    }

    @Override
    public Optional<Grain> grain() {
        return Optional.of(Grain.EPISODE);
    }

    @Override
    public void expect(List<Request> requests) {
        queue().post(requests.stream().map(HumanEvaluator::question).toList(), true);
    }

    private static Question question(Request request) {
        return new Question(
                request.idempotencyKey(), request.iteration(), request.episode().index());
    }

    @Override
    public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
        String key = request.idempotencyKey();
        try {
            queue().post(List.of(question(request)), false);
        } catch (IllegalStateException e) {
            if (isClosed()) {
                throw new InterruptedException("closed");
            }
            throw e;
        }
        CompletableFuture<Outcome> future = waiting.computeIfAbsent(key, k -> new CompletableFuture<>());
        if (isClosed()) {
            future.cancel(false); // close() may have cancelled the others before this one was added
        }
        try {
            return switch (future.get()) {
                case Outcome.Judged(Judgement judgement) ->
                    new Reply(
                            Grain.EPISODE,
                            new double[] {judgement.value()},
                            OptionalDouble.empty(),
                            Optional.of(judgement.note()));
                case Outcome.Expired() ->
                    throw EvaluationException.permanent("nobody rated episode "
                            + request.episode().index() + " of iteration " + request.iteration() + " in time");
            };
        } catch (CancellationException e) {
            throw new InterruptedException("closed");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RuntimeException unchecked ? unchecked : new IllegalStateException(e);
        } finally {
            waiting.remove(key, future);
        }
    }

    /** Closes the iteration if it is due, and completes its evaluations. An error of the queue stops the run, which can be resumed. */
    private void poll() {
        if (waiting.isEmpty()) {
            return;
        }
        try {
            PeopleQueue open = queue();
            open.closeIfDue();
            open.outcomes(waiting.keySet()).forEach((key, outcome) -> {
                CompletableFuture<Outcome> future = waiting.get(key);
                if (future != null) {
                    future.complete(outcome);
                }
            });
        } catch (RuntimeException e) {
            if (isClosed()) {
                return; // waiting threads are cancelled
            }
            waiting.values().forEach(future -> future.completeExceptionally(e));
        }
    }

    /** Number of evaluations that wait for an answer. */
    int waitingCount() {
        return waiting.size();
    }

    @Override
    public Optional<String> waitingFor() {
        PeopleQueue opened;
        synchronized (this) {
            if (queue == null || closed) {
                return Optional.empty();
            }
            opened = queue;
        }
        QueueStatus status;
        try {
            status = opened.status();
        } catch (UserException | IllegalStateException e) {
            return Optional.empty(); // reported to the threads that wait for an answer
        }
        if (!status.open()) {
            return Optional.empty();
        }
        // the most important part first: a narrow terminal cuts off the end
        StringBuilder text = new StringBuilder("waiting for people: " + status.rated() + " of " + status.items()
                + (settings.rating() == Rating.COMPARE ? " pairs compared" : " rated"));
        status.closesIn()
                .ifPresent(left -> text.append(", closes in ")
                        .append((left.toMillis() + 999) / 1000)
                        .append(" s"));
        if (!status.raters().isEmpty()) {
            text.append("; by ")
                    .append(String.join(
                            ", ",
                            status.raters().stream()
                                    .map(QueueStatus.Rater::name)
                                    .toList()));
        }
        return Optional.of(text.toString());
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            poller.shutdownNow();
            if (queue != null) {
                queue.close();
            }
        }
        waiting.values().forEach(future -> future.cancel(false));
    }
}
