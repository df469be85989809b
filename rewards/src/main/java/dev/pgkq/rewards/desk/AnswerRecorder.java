package dev.pgkq.rewards.desk;

import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerKey;
import dev.pgkq.rewards.ledger.Recorded;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Records answers in the ledger. They have been paid for, so if the ledger fails, because its disk is full or its server is gone,
 * it retries until the ledger takes them. If the user stops the run before that, or the ledger's file is gone, they are written to
 * {@linkplain Spool files}, which are recorded the next time the ledger is opened or the same evaluation is requested.
 */
final class AnswerRecorder {
    private static final Duration RETRY_PAUSE = Duration.ofSeconds(2);
    private static final Duration HURRIED_PAUSE = Duration.ofMillis(100);

    private final Supplier<Ledger> opener;
    private final Spool spool;
    private final RewardListener listener;
    private final RepeatedWarnings warnings;
    private final double costOfOne;
    private final ReentrantLock recording = new ReentrantLock();
    private final AtomicInteger spooled = new AtomicInteger();
    private volatile List<Path> folders = List.of();
    private volatile Optional<UserException> lastError = Optional.empty();

    /**
     * @param opener opens the ledger
     * @param costOfOne cost of a spooled answer that does not state one
     */
    AnswerRecorder(Supplier<Ledger> opener, Spool spool, RewardListener listener, double costOfOne) {
        this.opener = opener;
        this.spool = spool;
        this.listener = listener;
        this.warnings = new RepeatedWarnings(listener.warnings());
        this.costOfOne = costOfOne;
    }

    /** Opens the ledger, and records the answers that are in the spool. */
    Ledger open() {
        Ledger ledger = opener.get();
        try {
            folders = spool.folders();
            if (!folders.isEmpty()) {
                recordSpooled(ledger);
            }
            return ledger;
        } catch (RuntimeException e) {
            ledger.close();
            throw e;
        }
    }

    private void recordSpooled(Ledger ledger) {
        Map<Path, EvaluationId> files = new LinkedHashMap<>();
        ledger.read(entry -> Spool.find(entry.id().key(), folders).ifPresent(file -> files.put(file, entry.id())));
        files.forEach((file, id) -> {
            ledger.done(id.key(), Spool.read(file, id.steps(), costOfOne));
            Spool.remove(file);
        });
        if (!files.isEmpty()) {
            listener.notices()
                    .accept("recorded " + files.size() + (files.size() == 1 ? " answer" : " answers")
                            + " that could not be written to the ledger before");
        }
    }

    /**
     * Records the answer to an evaluation if it is in the spool. The ledger may know nothing of it when it is opened: it may not
     * be the one that the answer was meant for.
     */
    Optional<Reply> recordSpooled(Ledger ledger, EvaluationId id) {
        return Spool.find(id.key(), folders).map(file -> {
            Reply answer = ledger.done(id.key(), Spool.read(file, id.steps(), costOfOne));
            Spool.remove(file);
            return answer;
        });
    }

    /** Adds what became of the answers that arrived after the ledger had changed. */
    UserException explained(DatabaseChanged error) {
        int count = spooled.get();
        return count == 0
                ? error
                : new UserException(
                        error.getMessage() + ". " + count
                                + (count == 1
                                        ? " answer that could not be recorded is"
                                        : " answers that could not be recorded are")
                                + " in " + spool.written() + "; resuming the run records "
                                + (count == 1 ? "it" : "them"),
                        error);
    }

    /**
     * Records an answer. Only one thread writes at a time: a failing ledger may take long to report its error, and a user who
     * wants to stop must not wait for every answer in turn.
     *
     * @return the answer that counts
     * @throws DatabaseChanged if the ledger's file is gone; the answer is in the spool
     * @throws UserException if the run is stopped before the answer is recorded; the message names its file
     */
    Recorded record(Ledger ledger, EvaluationId id, Reply answer) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                boolean locked = false;
                try {
                    Duration wait = interrupted ? HURRIED_PAUSE : RETRY_PAUSE;
                    locked = recording.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS);
                    if (locked) {
                        Recorded counts = interrupted ? recordAtOnce(ledger, id, answer) : ledger.done(id, answer);
                        lastError = Optional.empty();
                        return counts;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (UserException e) {
                    // A pending interrupt would also break writing to the spool.
                    interrupted |= Thread.interrupted();
                    lastError = Optional.of(e);
                } finally {
                    if (locked) {
                        recording.unlock();
                    }
                }
                interrupted |= spoolOrPause(id.key(), answer, interrupted);
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Does not wait for a server to come back: the process may not live that long. */
    private static Recorded recordAtOnce(Ledger ledger, EvaluationId id, Reply answer) {
        Thread.currentThread().interrupt();
        try {
            return ledger.done(id, answer);
        } finally {
            Thread.interrupted();
        }
    }

    /** Spools an answer if the run is stopping, and otherwise pauses; returns whether the pause was interrupted. */
    private boolean spoolOrPause(LedgerKey key, Reply answer, boolean hurry) {
        Optional<UserException> error = lastError;
        if (error.isEmpty()) {
            return false;
        }
        if (hurry
                || error.get() instanceof DatabaseChanged
                || listener.stopRequested().getAsBoolean()) {
            spool(key, answer, error.get());
        } else {
            warnings.accept(error.get().getMessage()
                    + ". Answers that were paid for are kept in memory and recorded once this is fixed; stopping the run"
                    + " writes them to files");
        }
        try {
            Thread.sleep(RETRY_PAUSE);
            return false;
        } catch (InterruptedException e) {
            return true;
        }
    }

    /** Throws a UserException when the answer is in a file; returns if no file takes it either. */
    private void spool(LedgerKey key, Reply answer, UserException error) {
        Path file;
        try {
            file = spool.put(key, answer);
        } catch (UserException e) {
            warnings.accept(
                    error.getMessage() + "; and " + e.getMessage()
                            + ". Answers that were paid for are only in memory: free some space. Stopping at once would lose them");
            return;
        }
        spooled.incrementAndGet();
        if (error instanceof DatabaseChanged) {
            throw error;
        }
        throw new UserException(
                error.getMessage() + ". Answers that were not recorded are in files in " + file.getParent()
                        + "; resuming the run records them",
                error);
    }
}
