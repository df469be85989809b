package dev.pgkq.rewards.ledger;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;

/**
 * Keeps every reward that was ever paid for, so that nothing is lost and nothing is paid for twice.
 *
 * <p>An evaluation is known by what is evaluated and by whom ({@link LedgerKey}). Whoever wants one claims it first. If it
 * has been paid for, by this run or any other, the answer comes back at once. If nobody has it in hand it is the caller's,
 * for as long as the caller renews its lease; two callers never have the same one. The caller notes each attempt
 * <em>before</em> the oracle is asked and each answer before it is used:
 *
 * <pre>
 *                       attempted                 done
 *   claim ──► REQUESTED ─────────► RUNNING ─────────────► DONE
 *                 ▲   ◄─────────── attemptFailed
 *                 │                           failed
 *                 └── askAgain ── FAILED ◄───────────
 * </pre>
 *
 * <p>Every change is on the disk when its method returns. So after a crash the ledger is never behind what the oracle was
 * asked. It may be ahead: what is RUNNING and whose owner is gone, because its process is dead or its lease ran out, is
 * <em>in doubt</em>. It may have been evaluated and paid for, and only the answer be lost. Whoever claims it next gets it
 * and is told so, and asks with the same key, by which an oracle that remembers can tell that it knows the answer.
 *
 * <p>An answer is never replaced. If two arrive after all, since an owner was slow and not gone, the first one counts and
 * {@link #done} tells the second caller so.
 *
 * <p>Times are those of the database's clock, so that machines which share a ledger need not agree on the time. Threads may
 * share one ledger. Every method throws a {@link dev.pgkq.text.UserException} where the database fails: a full disk, a
 * server that is gone. What had been returned before is safe.
 */
public interface Ledger extends AutoCloseable {
    /** Name of the ledger's file in a run directory. */
    String FILE = "ledger.db";

    /** How long a claim holds without being renewed, if nothing else is said. */
    Duration USUAL_LEASE = Duration.ofMinutes(2);

    /**
     * Opens a ledger, or makes it.
     *
     * @param location a file, a run directory, or {@code jdbc:postgresql://…}
     */
    static Ledger open(String location) {
        return open(location, USUAL_LEASE);
    }

    /** Opens a ledger, or makes it; claims hold for {@code lease} without being renewed. */
    static Ledger open(String location, Duration lease) {
        return SqlLedger.open(Tables.at(LedgerLocation.parse(location)), lease);
    }

    /** Reads all entries of a ledger without changing anything in it, also while others write to it. */
    static void read(String location, Consumer<LedgerEntry> reader) {
        read(LedgerLocation.parse(location), reader);
    }

    /** Reads all entries of a ledger without changing anything in it, also while others write to it. */
    static void read(LedgerLocation location, Consumer<LedgerEntry> reader) {
        LedgerReader.read(Tables.at(location), reader);
    }

    /** Where it is, in words: a file, or the address of a database without its password. */
    String location();

    /** How long a claim holds without being renewed; a third of it is a good time to renew after. */
    Duration lease();

    /** Asks for an evaluation. If it becomes the caller's, it is to end with one of the methods below. */
    Claim claim(EvaluationId wanted);

    /**
     * Notes that the oracle is about to be asked. The next attempt is one only after this one {@linkplain #attemptFailed
     * failed}.
     *
     * @return false if the claim was lost to somebody else: the oracle must not be asked
     */
    boolean attempted(LedgerKey key);

    /**
     * Keeps claims for another while.
     *
     * @return those that were lost to somebody else, or have an answer
     */
    List<LedgerKey> renew(Collection<LedgerKey> keys);

    /**
     * Notes the answer, also of a claim that was lost: it has been paid for. May be called again after it failed.
     *
     * @return the answer that counts: this one, or another that was there before
     */
    LedgerAnswer done(LedgerKey key, LedgerAnswer answer);

    /** Notes why an attempt failed. The claim is kept, for another attempt. */
    void attemptFailed(LedgerKey key, String error);

    /** Notes that there will be no answer, and why; gives up the claim. Nothing happens if the claim was lost. */
    void failed(LedgerKey key, String error);

    /** Gives back claims of which the oracle has nothing in hand; others may have them. */
    void release(Collection<LedgerKey> keys);

    /** Allows what had failed to be asked again, with attempts counted anew. What has not failed stays as it is. */
    void askAgain(Collection<LedgerKey> keys);

    /** Hands every entry to {@code reader}, in the order of their requests. */
    void read(Consumer<LedgerEntry> reader);

    /** Gives up all claims. Those of which the oracle was asked and has not answered are in doubt from now on. */
    @Override
    void close();
}
