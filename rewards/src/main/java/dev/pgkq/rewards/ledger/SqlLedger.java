package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A ledger in an SQL database.
 *
 * <p>Claims are optimistic: read the row, decide, and update it on the condition that it is unchanged; otherwise start again.
 * Every claim has a random token, and the condition covers both token and lease, so a renewal between reading and updating
 * defeats a takeover. The token also makes a claim safe to repeat after a connection broke: a caller that finds its own token in
 * the row already has the claim.
 */
final class SqlLedger implements Ledger {
    private final Session session;
    private final EvaluationTable evaluations;
    private final OracleTable oracles;
    private final Owner owner;
    private final Duration lease;

    private SqlLedger(Session session, Owner owner, Duration lease) {
        this.session = session;
        this.owner = owner;
        this.lease = lease;
        this.evaluations = new EvaluationTable(session.database().now(), owner.text(), lease);
        this.oracles = new OracleTable(session.database().now());
    }

    static SqlLedger open(Database database, Duration lease, Patience patience) {
        return open(database, LedgerTables.CURRENT, Owner.current(), lease, patience);
    }

    static SqlLedger open(Database database, Schema schema, Owner owner, Duration lease, Patience patience) {
        return new SqlLedger(Session.open(database, schema, patience), owner, lease);
    }

    @Override
    public String location() {
        return session.database().name();
    }

    @Override
    public Duration lease() {
        return lease;
    }

    @Override
    public void requireUnchanged() {
        session.use("read", connection -> true);
    }

    @Override
    public Claim claim(EvaluationId id) {
        return claim(id, UUID.randomUUID().toString());
    }

    Claim claim(EvaluationId id, String token) {
        return session.use("claim an evaluation in", connection -> claim(connection, id, token));
    }

    private Claim claim(Connection connection, EvaluationId id, String token) throws SQLException {
        LedgerKey key = id.key();
        while (true) {
            Optional<Row> found = evaluations.find(connection, key);
            if (found.isEmpty()) {
                if (evaluations.insert(connection, id, token)) {
                    return new Claim.Mine(0, 0);
                }
                continue;
            }
            Row row = found.get();
            if (row.state() == State.DONE) {
                Reply answer = requireIntact(key, row);
                evaluations.countReuse(connection, key);
                return new Claim.Done(answer);
            }
            if (row.state() == State.FAILED) {
                return new Claim.Failed(row.error());
            }
            if (row.token().equals(token)) {
                return new Claim.Mine(row.attempts(), row.inDoubt());
            }
            if (!isFree(row)) {
                return new Claim.Elsewhere(Owner.parse(row.owner()).words(), Instant.ofEpochMilli(row.leaseUntil()));
            }
            if (evaluations.take(connection, id, row, token)) {
                return new Claim.Mine(row.attempts(), row.inDoubt() + (row.state() == State.RUNNING ? 1 : 0));
            }
        }
    }

    /** Whether this ledger's owner holds the claim, or nobody alive does. */
    boolean isMineOrFree(Row row) {
        return row.owner().equals(owner.text()) || isFree(row);
    }

    private boolean isFree(Row row) {
        return row.expired()
                || row.owner().equals(Owner.NOBODY)
                || Owner.parse(row.owner()).isDeadAsSeenFrom(owner);
    }

    Reply requireIntact(LedgerKey key, Row row) {
        StoredAnswer stored = row.stored();
        if (stored == null || stored.damaged()) {
            throw new UserException("the answer of evaluation " + key + " in the ledger " + location()
                    + " is damaged: its checksum does not match. Restore a backup of the ledger; or, to pay for"
                    + " this answer again, stop all runs that use the ledger and delete it with the SQL command DELETE FROM pgkq_evaluation WHERE key = '"
                    + key
                    + "'");
        }
        return stored.reply();
    }

    @Override
    public boolean attempted(LedgerKey key, OptionalDouble charge) {
        return session.use("record an attempt in", connection -> evaluations.attempt(connection, key, charge));
    }

    @Override
    public List<LedgerKey> renew(Collection<LedgerKey> keys) {
        return session.transact("renew claims in", connection -> {
            List<LedgerKey> lost = new ArrayList<>();
            for (LedgerKey key : keys) {
                if (!evaluations.renew(connection, key)) {
                    lost.add(key);
                }
            }
            return lost;
        });
    }

    @Override
    public Reply done(LedgerKey key, Reply answer) {
        return session.use("record an answer in", connection -> record(connection, key, answer));
    }

    @Override
    public Recorded done(EvaluationId id, Reply answer) {
        return session.transact("record an answer in", connection -> {
            evaluations.assign(connection, id);
            Reply counts = record(connection, id.key(), answer);
            Row row = evaluations.find(connection, id.key()).orElseThrow();
            return new Recorded(counts, RunName.isSameRun(row.run(), StorableText.of(id.run())));
        });
    }

    private Reply record(Connection connection, LedgerKey key, Reply answer) throws SQLException {
        if (evaluations.answer(connection, key, answer)) {
            return answer;
        }
        Row row = evaluations
                .find(connection, key)
                .orElseThrow(() -> new IllegalArgumentException("evaluation " + key + " was never requested"));
        if (row.state() != State.DONE) {
            throw new IllegalArgumentException(
                    "evaluation " + key + " has " + row.steps() + " steps but " + answer.values().length + " rewards");
        }
        return requireIntact(key, row);
    }

    @Override
    public void attemptFailed(LedgerKey key, FailedCall call) {
        session.use("record a failure in", connection -> evaluations.failAttempt(connection, key, call));
    }

    @Override
    public void failed(LedgerKey key, String error) {
        session.use("record a failure in", connection -> evaluations.fail(connection, key, error));
    }

    @Override
    public void release(Collection<LedgerKey> keys) {
        forEach("release claims in", keys, evaluations::release);
    }

    @Override
    public void askAgain(Collection<LedgerKey> keys) {
        forEach("allow further attempts in", keys, evaluations::askAgain);
    }

    /** Changes one row. */
    @FunctionalInterface
    private interface Change {
        boolean of(Connection connection, LedgerKey key) throws SQLException;
    }

    private void forEach(String doing, Collection<LedgerKey> keys, Change change) {
        session.transact(doing, connection -> {
            for (LedgerKey key : keys) {
                change.of(connection, key);
            }
            return keys.size();
        });
    }

    @Override
    public Optional<OtherContents> recognize(String oracle, String contents, String unrecorded, boolean accept) {
        return session.transact(
                "recognize an oracle in",
                connection -> oracles.recognize(
                        connection,
                        StorableText.of(oracle),
                        StorableText.of(contents),
                        StorableText.of(unrecorded),
                        accept));
    }

    @Override
    public HandOuts handOuts() {
        return new SqlHandOuts(this, session, evaluations);
    }

    @Override
    public void read(Consumer<LedgerEntry> reader) {
        LedgerReader.read(session.database(), LedgerReader.OWN_LIMIT, reader);
    }

    @Override
    public void close() {
        session.close(connection -> Session.inTransaction(connection, transaction -> {
            evaluations.releaseAll(transaction);
            return true;
        }));
    }
}
