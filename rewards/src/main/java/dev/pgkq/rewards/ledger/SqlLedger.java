package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * A ledger in an SQL database.
 *
 * <p>A claim is optimistic: look at the row, decide, and change it on the condition that it is still as it was seen; if it is
 * not, look again. Every claim has a random token, which is part of what is seen, and so is the lease: a renewal between the
 * look and the change defeats a takeover. The token also makes a claim safe to repeat after its connection broke: whoever
 * finds the own token in the row has got it already.
 */
final class SqlLedger implements Ledger {
    private final Session session;
    private final Evaluations evaluations;
    private final Owner owner;
    private final Duration lease;

    private SqlLedger(Session session, Owner owner, Duration lease) {
        this.session = session;
        this.owner = owner;
        this.lease = lease;
        this.evaluations = new Evaluations(session.database().now(), owner.text(), lease);
    }

    static SqlLedger open(Database database, Duration lease) {
        return open(database, Tables.CURRENT, Owner.current(), lease, Session.USUAL_PATIENCE);
    }

    static SqlLedger open(Database database, Schema schema, Owner owner, Duration lease, Duration patience) {
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
    public Claim claim(EvaluationId wanted) {
        return claim(wanted, UUID.randomUUID().toString());
    }

    Claim claim(EvaluationId wanted, String token) {
        return session.use("ask for an evaluation in", connection -> claim(connection, wanted, token));
    }

    private Claim claim(Connection connection, EvaluationId wanted, String token) throws SQLException {
        LedgerKey key = wanted.key();
        while (true) {
            Optional<Row> found = evaluations.find(connection, key);
            if (found.isEmpty()) {
                if (evaluations.insert(connection, wanted, token)) {
                    return new Claim.Mine(0, 0);
                }
                continue;
            }
            Row row = found.get();
            if (row.state() == State.DONE) {
                LedgerAnswer answer = intact(key, row);
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
            if (evaluations.take(connection, wanted, row, token)) {
                return new Claim.Mine(row.attempts(), row.inDoubt() + (row.state() == State.RUNNING ? 1 : 0));
            }
        }
    }

    private boolean isFree(Row row) {
        return row.expired()
                || row.owner().equals(Owner.NOBODY)
                || Owner.parse(row.owner()).isDeadAsSeenFrom(owner);
    }

    private LedgerAnswer intact(LedgerKey key, Row row) {
        Stored stored = row.stored();
        if (stored == null || stored.damaged()) {
            throw new UserException("the answer of evaluation " + key + " in the ledger " + location()
                    + " is damaged: it is not what was recorded. Put a backup of the ledger in its place; or, to pay for"
                    + " that answer again, remove it with the SQL command DELETE FROM pgkq_evaluation WHERE key = '"
                    + key
                    + "'");
        }
        return stored.answer();
    }

    @Override
    public boolean attempted(LedgerKey key) {
        return session.use("note an attempt in", connection -> evaluations.attempt(connection, key));
    }

    @Override
    public List<LedgerKey> renew(Collection<LedgerKey> keys) {
        return session.transact("renew a claim in", connection -> {
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
    public LedgerAnswer done(LedgerKey key, LedgerAnswer answer) {
        return session.use("record an answer in", connection -> {
            if (evaluations.answer(connection, key, answer)) {
                return answer;
            }
            Row row = evaluations
                    .find(connection, key)
                    .orElseThrow(() -> new IllegalArgumentException("nobody asked for evaluation " + key));
            if (row.state() != State.DONE) {
                throw new IllegalArgumentException("evaluation " + key + " is of " + row.steps() + " steps and has "
                        + answer.values().length + " rewards");
            }
            return intact(key, row);
        });
    }

    @Override
    public void attemptFailed(LedgerKey key, String error) {
        session.use("note a failure in", connection -> evaluations.failAttempt(connection, key, error));
    }

    @Override
    public void failed(LedgerKey key, String error) {
        session.use("note a failure in", connection -> evaluations.fail(connection, key, error));
    }

    @Override
    public void release(Collection<LedgerKey> keys) {
        forEach("give back a claim in", keys, evaluations::release);
    }

    @Override
    public void askAgain(Collection<LedgerKey> keys) {
        forEach("allow another attempt in", keys, evaluations::askAgain);
    }

    /** A change of one row. */
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
    public void read(Consumer<LedgerEntry> reader) {
        LedgerReader.read(session.database(), reader);
    }

    @Override
    public void close() {
        session.close(connection -> Session.inTransaction(connection, transaction -> {
            evaluations.releaseAll(transaction);
            return true;
        }));
    }
}
