package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.request.Reply;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Consumer;

/**
 * Stores every reward that was ever paid for, so that no answer is lost and none is paid for twice.
 *
 * <p>An evaluation is identified by what is evaluated and by which oracle ({@link LedgerKey}). A caller that needs one claims it
 * first. If it has been paid for, by this run or any other, the answer is returned at once. If nobody else has claimed it, it
 * belongs to the caller for as long as the caller renews the lease; two callers never hold the same claim. The caller records
 * each attempt <em>before</em> it asks the oracle, and each answer before it uses it:
 *
 * <pre>
 *                       attempted                 done
 *   claim ──► REQUESTED ─────────► RUNNING ─────────────► DONE
 *                 ▲   ◄─────────── attemptFailed
 *                 │                           failed
 *                 └── askAgain ── FAILED ◄───────────
 * </pre>
 *
 * <p>Every change is on disk when its method returns. So after a crash the ledger never lags behind what the oracle was asked. It
 * may be ahead: an evaluation that is RUNNING and whose owner is gone, because its process is dead or its lease expired, is
 * <em>in doubt</em>. It may have been evaluated and paid for with only the answer lost. The next caller that claims it gets it, is
 * informed of the doubt, and asks with the same key, by which an oracle that remembers its answers recognizes it.
 *
 * <p>An answer is never replaced. If two arrive, because an owner was slow rather than gone, the first one counts and
 * {@link #done} returns it to the second caller.
 *
 * <p>All times are those of the database's clock, so machines that share a ledger need not agree on the time. A ledger is
 * thread-safe. Every method throws a {@link dev.pgkq.text.UserException} if the database fails, for instance because the disk is
 * full or the server is gone; everything recorded before that is safe. If its file was deleted, replaced or truncated, that is a
 * {@link dev.pgkq.rewards.database.DatabaseChanged}.
 */
public interface Ledger extends AutoCloseable {
    /** Name of the ledger's file in a run directory. */
    String FILE = "ledger.db";

    /** How long a claim lasts without being renewed, by default. */
    Duration DEFAULT_LEASE = Duration.ofMinutes(2);

    /**
     * Opens a ledger with the default lease, and creates it if it does not exist.
     *
     * @param location a file, a run directory, or {@code jdbc:postgresql://HOST:PORT/DATABASE?user=NAME}
     * @throws dev.pgkq.text.UserException if it cannot be opened, or is not a ledger
     */
    static Ledger open(String location) {
        return open(location, DEFAULT_LEASE);
    }

    /**
     * Opens a ledger, and creates it if it does not exist.
     *
     * @param location a file, a run directory, or {@code jdbc:postgresql://HOST:PORT/DATABASE?user=NAME}
     * @param lease how long a claim lasts without being renewed
     * @throws dev.pgkq.text.UserException if it cannot be opened, or is not a ledger
     */
    static Ledger open(String location, Duration lease) {
        return open(location, lease, Patience.DEFAULT);
    }

    /**
     * Opens a ledger, and creates it if it does not exist.
     *
     * @param location a file, a run directory, or {@code jdbc:postgresql://HOST:PORT/DATABASE?user=NAME}
     * @param lease how long a claim lasts without being renewed
     * @param patience how long to wait for a server that cannot be reached, now and later
     * @throws dev.pgkq.text.UserException if it cannot be opened, or is not a ledger
     */
    static Ledger open(String location, Duration lease, Patience patience) {
        return SqlLedger.open(LedgerTables.at(LedgerLocation.parse(location)), lease, patience);
    }

    /** Reads all entries of a ledger without changing it, even while others write to it. */
    static void read(String location, Consumer<LedgerEntry> reader) {
        read(LedgerLocation.parse(location), reader);
    }

    /** Reads all entries of a ledger without changing it, even while others write to it. */
    static void read(LedgerLocation location, Consumer<LedgerEntry> reader) {
        LedgerReader.read(LedgerTables.at(location), reader);
    }

    /** Reads the entries of some evaluations, as {@link #read(LedgerLocation, Consumer)} reads all; those that it does not have are left out. */
    static void read(LedgerLocation location, Collection<LedgerKey> keys, Consumer<LedgerEntry> reader) {
        LedgerReader.read(LedgerTables.at(location), keys, reader);
    }

    /** The location for messages: a file, or the address of a database without its password. */
    String location();

    /** How long a claim lasts without being renewed. Renew it after a third of this time. */
    Duration lease();

    /**
     * Claims an evaluation. If the result is {@link Claim.Mine}, the caller must end the claim with {@link #done},
     * {@link #failed}, {@link #release} or {@link #close}.
     */
    Claim claim(EvaluationId id);

    /**
     * Records that the oracle is about to be asked. Calling it again counts a new attempt only after {@link #attemptFailed}.
     *
     * @return false if another owner has taken over the claim; the oracle must not be asked then
     */
    default boolean attempted(LedgerKey key) {
        return attempted(key, OptionalDouble.of(0));
    }

    /**
     * Records that the oracle is about to be asked, as {@link #attempted(LedgerKey)} does.
     *
     * @param charge what the call costs if nothing is heard of it again; empty if it does not count then
     * @return false if another owner has taken over the claim; the oracle must not be asked then
     */
    boolean attempted(LedgerKey key, OptionalDouble charge);

    /**
     * Extends claims by the length of the lease.
     *
     * @return the claims that were not extended, because another owner has taken them over or they have been answered
     */
    List<LedgerKey> renew(Collection<LedgerKey> keys);

    /**
     * Records the answer, even if the claim was lost: it has been paid for. Safe to repeat after an error.
     *
     * @param answer recorded with cost 0 if it has none, and without its note
     * @return the answer that counts: this one, or one that was recorded before
     * @throws IllegalArgumentException if the evaluation was never claimed, or has another number of steps
     */
    Reply done(LedgerKey key, Reply answer);

    /**
     * Records the answer, as {@link #done(LedgerKey, Reply)} does, for the run that paid for it: another run may have taken over
     * the evaluation meanwhile.
     */
    Recorded done(EvaluationId id, Reply answer);

    /** Records why an attempt failed, and keeps the claim for another attempt. No effect if the claim was lost. */
    default void attemptFailed(LedgerKey key, String error) {
        attemptFailed(key, FailedCall.of(error));
    }

    /** Records an attempt without an answer, and keeps the claim for another attempt. No effect if the claim was lost. */
    void attemptFailed(LedgerKey key, FailedCall call);

    /** Records that the evaluation was given up, and why; ends the claim. No effect if the claim was lost. */
    void failed(LedgerKey key, String error);

    /** Ends claims for which no attempt is under way, so that others can claim the evaluations. */
    void release(Collection<LedgerKey> keys);

    /** Allows failed evaluations to be claimed again, and resets their attempt counts. No effect on those that have not failed. */
    void askAgain(Collection<LedgerKey> keys);

    /**
     * Checks that an oracle is the one whose answers are in the ledger, by its contents, such as a hash of its script. Contents are
     * recorded when the oracle has no answers yet, or when they are accepted.
     *
     * @param oracle identity of the oracle
     * @param contents what its answers depend on besides its identity
     * @param unrecorded what answers depend on whose contents are not recorded
     * @param accept whether answers of other contents count as answers of these
     * @return empty if answers in the ledger can be used; otherwise the contents have not been recorded
     */
    Optional<OtherContents> recognize(String oracle, String contents, String unrecorded, boolean accept);

    /** Operations for a caller that hands evaluations out and hears of them later. */
    HandOuts handOuts();

    /** Passes every entry to {@code reader}, in the order in which they were requested. */
    void read(Consumer<LedgerEntry> reader);

    /** Checks that the ledger is the one that was opened, as every other method does. */
    void requireUnchanged();

    /**
     * Ends all claims and closes the ledger. Attempts that are still under way are in doubt from now on.
     *
     * @throws dev.pgkq.rewards.database.DatabaseChanged if the ledger is no longer the one that was opened, and no other method
     *     has said so
     */
    @Override
    void close();
}
