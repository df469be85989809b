package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.ledger.LedgerKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Rounds and lessons on disk. Every method is one transaction, and what it changes is on disk when it returns. */
final class AdviserStore implements AutoCloseable {
    private final Session session;
    private final RoundTable rounds;

    /** What a lesson was learned from, with the keys of its scores. */
    record Learned(Lesson lesson, Collection<LedgerKey> keys) {}

    private AdviserStore(Session session) {
        this.session = session;
        this.rounds = new RoundTable(session.database().now());
    }

    /** Opens the file, and creates it if there is none. */
    static AdviserStore open(Path file) {
        return new AdviserStore(Session.open(AdviserTables.in(file), AdviserTables.CURRENT, Patience.DEFAULT));
    }

    /** The identity of the adviser; this one if it is new. */
    Identity identity(Identity ifNew) {
        return session.transact("open", connection -> {
            String sql = "INSERT INTO pgkq_adviser (id, run, grain, seed, changes) VALUES (1, ?, ?, ?, 1)"
                    + " ON CONFLICT (id) DO NOTHING";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setString(1, ifNew.run());
                statement.setString(2, ifNew.grain().name().toLowerCase(Locale.ROOT));
                statement.setLong(3, ifNew.seed());
                statement.executeUpdate();
            }
            return identity(connection);
        });
    }

    static Identity identity(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT * FROM pgkq_adviser");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return new Identity(
                    rows.getString("run"),
                    Grain.valueOf(rows.getString("grain").toUpperCase(Locale.ROOT)),
                    rows.getLong("seed"));
        }
    }

    /** Increases with every change. */
    static long changes(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement("SELECT changes FROM pgkq_adviser");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** Records what may be spent, for those who read. */
    void setBudget(Budget budget) {
        change("open", connection -> {
            String sql = "UPDATE pgkq_adviser SET max_evaluations = ?, max_cost = ?";
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                if (budget.evaluations() == Long.MAX_VALUE) {
                    statement.setNull(1, Types.BIGINT);
                } else {
                    statement.setLong(1, budget.evaluations());
                }
                if (budget.cost() == Double.POSITIVE_INFINITY) {
                    statement.setNull(2, Types.DOUBLE);
                } else {
                    statement.setDouble(2, budget.cost());
                }
                statement.executeUpdate();
            }
        });
    }

    static Budget budget(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT max_evaluations, max_cost FROM pgkq_adviser");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            long evaluations = rows.getLong(1);
            evaluations = rows.wasNull() ? Long.MAX_VALUE : evaluations;
            double cost = rows.getDouble(2);
            return new Budget(evaluations, rows.wasNull() ? Double.POSITIVE_INFINITY : cost, 0);
        }
    }

    /** The number of features of a step; 0 before the first round. */
    int width() {
        return session.use("read", connection -> {
            try (PreparedStatement statement =
                            connection.prepareStatement("SELECT COALESCE(max(width), 0) FROM pgkq_round_items");
                    ResultSet rows = statement.executeQuery()) {
                rows.next();
                return rows.getInt(1);
            }
        });
    }

    /** The number of the last round. */
    int lastRound() {
        return session.use("read", rounds::last);
    }

    long lastLesson() {
        return session.use("read", LessonTable::last);
    }

    /** Adds a round, in the place of any of this number or a higher one. */
    void insert(Round round, StoredItems items, Optional<Learned> owned, Optional<Request> request) {
        change("record a round in", connection -> {
            rounds.removeFrom(connection, round.number());
            rounds.insert(connection, round, items);
            if (request.isPresent()) {
                RequestTable.insert(connection, request.get());
            }
            if (owned.isPresent()) {
                LessonTable.insert(connection, owned.get().lesson(), owned.get().keys());
            }
        });
    }

    /** Records which round answered a question. */
    void add(Request request) {
        change("record a question in", connection -> RequestTable.insert(connection, request));
    }

    Optional<Request> request(String name) {
        return session.use("read", connection -> RequestTable.find(connection, name));
    }

    /** Removes rounds from this number on, of which nobody has heard. */
    void removeFrom(int round) {
        change("remove a round from", connection -> rounds.removeFrom(connection, round));
    }

    /** Records another choice of a round. */
    void update(Round round) {
        change("record a round in", connection -> rounds.update(connection, round));
    }

    /** Closes a round with the estimates and the lesson that came of it. */
    void close(int round, Estimates estimates, Learned learned) {
        change("record scores in", connection -> {
            rounds.close(connection, round, estimates);
            LessonTable.insert(connection, learned.lesson(), learned.keys());
        });
    }

    void add(Learned learned) {
        change("record scores in", connection -> LessonTable.insert(connection, learned.lesson(), learned.keys()));
    }

    Optional<Round> round(int number) {
        return session.use("read", connection -> rounds.find(connection, number));
    }

    List<Round> roundsAfter(int number, int most) {
        return session.use("read", connection -> rounds.after(connection, number, most));
    }

    List<Round> openRounds() {
        return session.use("read", rounds::open);
    }

    List<Round> roundsWithAbandoned() {
        return session.use("read", rounds::withAbandoned);
    }

    Optional<Round> firstRoundOf(String judge) {
        return session.use("read", connection -> rounds.firstOf(connection, judge));
    }

    StoredItems items(int round) {
        return session.use("read", connection -> rounds.items(connection, round))
                .orElseThrow();
    }

    Optional<Estimates> estimates(int round) {
        return session.use("read", connection -> rounds.estimates(connection, round));
    }

    List<Lesson> lessonsAfter(String judge, long number) {
        return session.use("read", connection -> LessonTable.after(connection, judge, number));
    }

    Set<LedgerKey> learned(Collection<LedgerKey> keys) {
        return keys.isEmpty() ? Set.of() : session.use("read", connection -> LessonTable.learned(connection, keys));
    }

    /** Changes the database. */
    @FunctionalInterface
    private interface Change {
        void in(Connection connection) throws SQLException;
    }

    private void change(String doing, Change change) {
        session.transact(doing, connection -> {
            change.in(connection);
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE pgkq_adviser SET changes = changes + 1")) {
                return statement.executeUpdate();
            }
        });
    }

    @Override
    public void close() {
        session.close();
    }
}
