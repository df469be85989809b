package dev.pgkq.rewards.advise;

import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The SQL statements on the tables of rounds and of their items. */
final class RoundTable {
    private static final String OPEN = "open";
    private static final String COLUMNS =
            "number, judge, source, state, asked, hash, items, chosen, weights, predicted,"
                    + " variances, error_before, expected_error, random_error, abandoned, owned";

    private final String now;

    /** @param now SQL expression for the current time */
    RoundTable(String now) {
        this.now = now;
    }

    /** Removes rounds from this number on, of which nobody has heard. */
    void removeFrom(Connection connection, int number) throws SQLException {
        if (last(connection) < number) {
            // the usual case, in which looking for lessons of such rounds would take longer with every lesson
            return;
        }
        for (String sql : List.of(
                "DELETE FROM pgkq_round WHERE number >= ?",
                "DELETE FROM pgkq_round_items WHERE round >= ?",
                "DELETE FROM pgkq_request WHERE round >= ?",
                "DELETE FROM pgkq_learned WHERE lesson IN (SELECT number FROM pgkq_lesson WHERE round >= ?)",
                "DELETE FROM pgkq_lesson WHERE round >= ?")) {
            try (PreparedStatement statement = connection.prepareStatement(sql)) {
                statement.setInt(1, number);
                statement.executeUpdate();
            }
        }
    }

    /** The number of the last round; 0 if there is none. */
    int last(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT COALESCE(max(number), 0) FROM pgkq_round");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getInt(1);
        }
    }

    void insert(Connection connection, Round round, StoredItems stored) throws SQLException {
        String sql = "INSERT INTO pgkq_round (judge, source, state, hash, items, chosen, weights, predicted, variances,"
                + " error_before, expected_error, random_error, abandoned, owned, number, asked)"
                + " VALUES (?, ?, 'open', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, " + now + ")";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, round.judge());
            statement.setInt(2, round.source());
            statement.setString(3, round.hash());
            statement.setInt(4, round.size());
            setChoice(statement, 5, round);
            statement.setBytes(13, Blob.of(round.owned()));
            statement.setInt(14, round.number());
            statement.executeUpdate();
        }
        insert(connection, round.number(), stored);
    }

    private static void insert(Connection connection, int round, StoredItems stored) throws SQLException {
        String sql = "INSERT INTO pgkq_round_items (round, width, projection_width, starts, ids, features, projections)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)";
        Items items = stored.items();
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, round);
            statement.setInt(2, items.width());
            statement.setInt(3, items.projectionWidth());
            statement.setBytes(4, Blob.of(items.starts()));
            if (stored.named()) {
                statement.setBytes(5, Blob.ofTexts(stored.ids()));
            } else {
                statement.setNull(5, Types.BLOB);
            }
            statement.setBytes(6, Blob.of(items.features()));
            statement.setBytes(7, Blob.of(items.projections()));
            statement.executeUpdate();
        }
    }

    void update(Connection connection, Round round) throws SQLException {
        String sql = "UPDATE pgkq_round SET chosen = ?, weights = ?, predicted = ?, variances = ?, error_before = ?,"
                + " expected_error = ?, random_error = ?, abandoned = ? WHERE number = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            setChoice(statement, 1, round);
            statement.setInt(9, round.number());
            statement.executeUpdate();
        }
    }

    private static void setChoice(PreparedStatement statement, int first, Round round) throws SQLException {
        Round.Picked picked = round.picked();
        statement.setBytes(first, Blob.of(picked.chosen()));
        statement.setBytes(first + 1, Blob.of(picked.weights()));
        statement.setBytes(first + 2, Blob.of(picked.predicted()));
        statement.setBytes(first + 3, Blob.of(picked.variances()));
        setNumber(statement, first + 4, picked.errorBefore());
        setNumber(statement, first + 5, picked.expectedError());
        setNumber(statement, first + 6, picked.randomError());
        statement.setBytes(first + 7, Blob.of(round.abandoned()));
    }

    /** What is not known is NULL. */
    private static void setNumber(PreparedStatement statement, int place, double value) throws SQLException {
        if (Double.isFinite(value)) {
            statement.setDouble(place, value);
        } else {
            statement.setNull(place, Types.DOUBLE);
        }
    }

    void close(Connection connection, int number, Estimates estimates) throws SQLException {
        String sql = "UPDATE pgkq_round SET state = 'closed', closed = " + now + ", estimates = ? WHERE number = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            int count = estimates.mean().length;
            double[] all = Arrays.copyOf(estimates.mean(), 3 * count);
            System.arraycopy(estimates.deviation(), 0, all, count, count);
            System.arraycopy(estimates.corrected(), 0, all, 2 * count, count);
            statement.setBytes(1, Blob.of(all));
            statement.setInt(2, number);
            statement.executeUpdate();
        }
    }

    Optional<Round> find(Connection connection, int number) throws SQLException {
        return query(connection, "WHERE number = ?", number).stream().findFirst();
    }

    /** Rounds in their order, from the one after this number, at most so many. */
    List<Round> after(Connection connection, int number, int most) throws SQLException {
        return query(connection, "WHERE number > ? ORDER BY number LIMIT ?", number, most);
    }

    /** What lists show of the last rounds, oldest first, at most so many. */
    List<RoundSummary> newest(Connection connection, int most) throws SQLException {
        String sql = "SELECT number, judge, source, state, asked, items, length(chosen) / 4 AS chosen,"
                + " length(abandoned) / 4 AS abandoned, length(owned) / 4 AS owned, error_before, expected_error,"
                + " random_error FROM pgkq_round ORDER BY number DESC LIMIT ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, most);
            List<RoundSummary> rounds = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rounds.add(new RoundSummary(
                            rows.getInt("number"),
                            rows.getString("judge"),
                            rows.getInt("source"),
                            OPEN.equals(rows.getString("state")),
                            Instant.ofEpochMilli(rows.getLong("asked")),
                            rows.getInt("items"),
                            rows.getInt("chosen"),
                            rows.getInt("abandoned"),
                            rows.getInt("owned"),
                            number(rows, "error_before"),
                            number(rows, "expected_error"),
                            number(rows, "random_error")));
                }
            }
            return rounds.reversed();
        }
    }

    List<Round> open(Connection connection) throws SQLException {
        return query(connection, "WHERE state = 'open' AND number >= ? ORDER BY number", 0);
    }

    List<Round> withAbandoned(Connection connection) throws SQLException {
        return query(connection, "WHERE length(abandoned) > ? ORDER BY number", 0);
    }

    Optional<Round> firstOf(Connection connection, String judge) throws SQLException {
        String sql = "SELECT min(number) FROM pgkq_round WHERE judge = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, judge);
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                int number = rows.getInt(1);
                return rows.wasNull() ? Optional.empty() : find(connection, number);
            }
        }
    }

    private static List<Round> query(Connection connection, String condition, int... parameters) throws SQLException {
        String sql = "SELECT " + COLUMNS + " FROM pgkq_round " + condition;
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) {
                statement.setInt(i + 1, parameters[i]);
            }
            List<Round> rounds = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    rounds.add(round(rows));
                }
            }
            return rounds;
        }
    }

    private static Round round(ResultSet rows) throws SQLException {
        return new Round(
                rows.getInt("number"),
                rows.getString("judge"),
                rows.getInt("source"),
                OPEN.equals(rows.getString("state")),
                rows.getLong("asked"),
                rows.getString("hash"),
                rows.getInt("items"),
                new Round.Picked(
                        Blob.ints(rows.getBytes("chosen")),
                        Blob.doubles(rows.getBytes("weights")),
                        Blob.doubles(rows.getBytes("predicted")),
                        Blob.doubles(rows.getBytes("variances")),
                        number(rows, "error_before"),
                        number(rows, "expected_error"),
                        number(rows, "random_error")),
                Blob.ints(rows.getBytes("abandoned")),
                Blob.ints(rows.getBytes("owned")));
    }

    private static double number(ResultSet rows, String column) throws SQLException {
        double value = rows.getDouble(column);
        return rows.wasNull() ? Double.NaN : value;
    }

    Optional<StoredItems> items(Connection connection, int round) throws SQLException {
        String sql = "SELECT * FROM pgkq_round_items WHERE round = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, round);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                Items items = new Items(
                        Blob.ints(rows.getBytes("starts")),
                        Blob.floats(rows.getBytes("features")),
                        rows.getInt("width"),
                        Blob.floats(rows.getBytes("projections")),
                        rows.getInt("projection_width"));
                byte[] ids = rows.getBytes("ids");
                return Optional.of(new StoredItems(
                        items, ids == null ? ItemNames.ofContents(items) : Blob.texts(ids), ids != null));
            }
        }
    }

    /** The estimates of a round that is closed. */
    Optional<Estimates> estimates(Connection connection, int round) throws SQLException {
        String sql = "SELECT estimates FROM pgkq_round WHERE number = ?";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setInt(1, round);
            try (ResultSet rows = statement.executeQuery()) {
                byte[] bytes = rows.next() ? rows.getBytes(1) : null;
                if (bytes == null) {
                    return Optional.empty();
                }
                double[] all = Blob.doubles(bytes);
                int count = all.length / 3;
                return Optional.of(new Estimates(
                        Arrays.copyOf(all, count),
                        Arrays.copyOfRange(all, count, 2 * count),
                        Arrays.copyOfRange(all, 2 * count, all.length)));
            }
        }
    }
}
