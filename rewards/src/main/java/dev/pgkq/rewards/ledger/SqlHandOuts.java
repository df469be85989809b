package dev.pgkq.rewards.ledger;

import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** {@link HandOuts} of a ledger in an SQL database. */
final class SqlHandOuts implements HandOuts {
    /** Keys in one query; every database takes that many parameters. */
    private static final int KEYS_AT_A_TIME = 500;

    private final SqlLedger ledger;
    private final Session session;
    private final EvaluationTable evaluations;
    private final HandOutTable table;

    SqlHandOuts(SqlLedger ledger, Session session, EvaluationTable evaluations) {
        this.ledger = ledger;
        this.session = session;
        this.evaluations = evaluations;
        this.table = new HandOutTable(session.database().now());
    }

    @Override
    public Map<LedgerKey, Standing> standing(Collection<LedgerKey> keys) {
        List<LedgerKey> all = List.copyOf(keys);
        return session.use("read", connection -> {
            Map<LedgerKey, Standing> found = new LinkedHashMap<>();
            for (int from = 0; from < all.size(); from += KEYS_AT_A_TIME) {
                List<LedgerKey> some = all.subList(from, Math.min(all.size(), from + KEYS_AT_A_TIME));
                table.find(connection, some, (key, row, calls) -> found.put(key, standing(key, row, calls)));
            }
            return found;
        });
    }

    private Standing standing(LedgerKey key, Row row, int calls) {
        Optional<Reply> answer =
                row.state() == State.DONE ? Optional.of(ledger.requireIntact(key, row)) : Optional.empty();
        return new Standing(row.state(), calls, row.inDoubt(), answer);
    }

    @Override
    public List<Claim> handOut(List<EvaluationId> ids) {
        // the same for every repetition after an error of the connection, so that none counts twice
        String token = UUID.randomUUID().toString();
        return session.transact("hand out evaluations from", connection -> {
            List<Claim> claims = new ArrayList<>();
            for (EvaluationId id : ids) {
                claims.add(handOut(connection, id, token));
            }
            return claims;
        });
    }

    private Claim handOut(Connection connection, EvaluationId id, String token) throws SQLException {
        while (true) {
            if (evaluations.insert(connection, id, token)) {
                evaluations.attempt(connection, id.key(), EvaluationTable.COUNTS);
                return new Claim.Mine(0, 0);
            }
            Row row = evaluations.find(connection, id.key()).orElseThrow();
            if (row.state() == State.DONE) {
                return new Claim.Done(ledger.requireIntact(id.key(), row));
            }
            if (row.token().equals(token)) {
                return new Claim.Mine(row.attempts() - 1, row.inDoubt());
            }
            if (row.state() != State.FAILED && !ledger.isMineOrFree(row)) {
                throw new UserException(Owner.parse(row.owner()).words() + " is evaluating the same item, "
                        + id.key().hex()
                        + ", with the ledger " + ledger.location()
                        + ". Stop one of the two, or give each a ledger of its own");
            }
            if (evaluations.take(connection, id, row, token)) {
                evaluations.attempt(connection, id.key(), EvaluationTable.COUNTS);
                return new Claim.Mine(row.attempts(), row.inDoubt() + (row.state() == State.RUNNING ? 1 : 0));
            }
        }
    }

    @Override
    public List<Outcome> answer(List<List<Answered>> answers, String elsewhere) {
        return session.transact("record answers in", connection -> {
            List<Outcome> outcomes = new ArrayList<>();
            for (List<Answered> together : answers) {
                outcomes.add(answerTogether(connection, together, elsewhere));
            }
            return outcomes;
        });
    }

    /** All are compared with what is there before one of them is written. */
    private Outcome answerTogether(Connection connection, List<Answered> together, String elsewhere)
            throws SQLException {
        Map<LedgerKey, Answered> missing = new LinkedHashMap<>();
        for (Answered answered : together) {
            LedgerKey key = answered.id().key();
            Optional<Row> row = evaluations.find(connection, key);
            Answered earlier = missing.get(key);
            Reply counts = earlier != null
                    ? earlier.reply()
                    : row.isPresent() && row.get().state() == State.DONE ? ledger.requireIntact(key, row.get()) : null;
            if (counts == null) {
                requireLength(answered, row);
                missing.put(key, answered);
            } else if (!isSame(counts, answered.reply())) {
                return new Outcome.Conflict(key, counts);
            }
        }
        List<Double> prices = new ArrayList<>();
        for (Answered answered : missing.values()) {
            if (table.hasCall(connection, answered.id().key())) {
                prices.add(answered.reply().cost().orElse(0));
            }
            table.requireRow(connection, answered.id(), elsewhere);
            table.answer(connection, answered, elsewhere);
        }
        return new Outcome.Recorded(missing.size(), prices);
    }

    private static void requireLength(Answered answered, Optional<Row> row) {
        Reply reply = answered.reply();
        int steps = row.map(Row::steps).orElse(answered.id().steps());
        if (reply.grain() == Grain.STEP && reply.values().length != steps) {
            throw new IllegalArgumentException("evaluation " + answered.id().key() + " has " + steps + " steps but "
                    + reply.values().length + " rewards");
        }
    }

    /** A score is the same whatever it is said to have cost, and whether a zero has a sign. */
    private static boolean isSame(Reply one, Reply other) {
        return one.grain() == other.grain()
                && one.values().length == other.values().length
                && Arrays.mismatch(positiveZeros(one.values()), positiveZeros(other.values())) < 0;
    }

    private static double[] positiveZeros(double[] values) {
        return Arrays.stream(values).map(value -> value + 0.0).toArray();
    }

    @Override
    public int giveUp(Collection<LedgerKey> keys, String reason, boolean free) {
        return session.transact("give up evaluations in", connection -> {
            int freed = 0;
            for (LedgerKey key : keys) {
                Optional<Row> row = evaluations.find(connection, key).filter(SqlHandOuts::isOpen);
                if (row.isPresent() && ledger.isMineOrFree(row.get())) {
                    freed += free && table.waiveCharge(connection, key) ? 1 : 0;
                    table.giveUp(connection, key, reason);
                }
            }
            return freed;
        });
    }

    private static boolean isOpen(Row row) {
        return row.state() == State.REQUESTED || row.state() == State.RUNNING;
    }
}
