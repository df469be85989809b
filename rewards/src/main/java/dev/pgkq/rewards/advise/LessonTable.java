package dev.pgkq.rewards.advise;

import dev.pgkq.rewards.ledger.LedgerKey;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The SQL statements on the tables of lessons and of the evaluations that were learned from. */
final class LessonTable {
    private static final int KEYS_AT_A_TIME = 500;

    private LessonTable() {}

    /** @param keys of the evaluations that the scores are of */
    static void insert(Connection connection, Lesson lesson, Collection<LedgerKey> keys) throws SQLException {
        String sql = "INSERT INTO pgkq_lesson (number, judge, round, closes, scores) VALUES (?, ?, ?, ?, ?)";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setLong(1, lesson.number());
            statement.setString(2, lesson.judge());
            statement.setInt(3, lesson.round());
            statement.setInt(4, lesson.closes() ? 1 : 0);
            statement.setBytes(5, Blob.ofScores(lesson.scores()));
            statement.executeUpdate();
        }
        String learned = "INSERT INTO pgkq_learned (key, lesson) VALUES (?, ?) ON CONFLICT (key) DO NOTHING";
        try (PreparedStatement statement = connection.prepareStatement(learned)) {
            for (LedgerKey key : keys) {
                statement.setString(1, key.hex());
                statement.setLong(2, lesson.number());
                statement.executeUpdate();
            }
        }
    }

    static long last(Connection connection) throws SQLException {
        try (PreparedStatement statement =
                        connection.prepareStatement("SELECT COALESCE(max(number), 0) FROM pgkq_lesson");
                ResultSet rows = statement.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        }
    }

    /** The lessons of a judge after this number, in their order. */
    static List<Lesson> after(Connection connection, String judge, long number) throws SQLException {
        String sql = "SELECT * FROM pgkq_lesson WHERE judge = ? AND number > ? ORDER BY number";
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, judge);
            statement.setLong(2, number);
            List<Lesson> lessons = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    lessons.add(new Lesson(
                            rows.getLong("number"),
                            rows.getString("judge"),
                            rows.getInt("round"),
                            rows.getInt("closes") == 1,
                            Blob.scores(rows.getBytes("scores"))));
                }
            }
            return lessons;
        }
    }

    /** Those of the evaluations that a model has learned from. */
    static Set<LedgerKey> learned(Connection connection, Collection<LedgerKey> keys) throws SQLException {
        List<LedgerKey> all = List.copyOf(keys);
        Set<LedgerKey> learned = new HashSet<>();
        for (int from = 0; from < all.size(); from += KEYS_AT_A_TIME) {
            List<LedgerKey> some = all.subList(from, Math.min(all.size(), from + KEYS_AT_A_TIME));
            String places = String.join(", ", Collections.nCopies(some.size(), "?"));
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT key FROM pgkq_learned WHERE key IN (" + places + ")")) {
                for (int i = 0; i < some.size(); i++) {
                    statement.setString(i + 1, some.get(i).hex());
                }
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        learned.add(new LedgerKey(rows.getString(1)));
                    }
                }
            }
        }
        return learned;
    }
}
