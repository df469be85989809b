package dev.pgkq.rewards.people;

import dev.pgkq.rewards.people.PairDesign.Pair;
import dev.pgkq.rewards.people.Scores.EarlierScore;
import dev.pgkq.rewards.people.Scores.Opinion;
import dev.pgkq.rewards.people.Scores.Score;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** What training does with the queue, within a transaction of the caller. */
final class TrainerOperations {
    /** Number of previous iterations whose episodes serve as anchors: those are still stored, and not too different. */
    static final int ANCHOR_ITERATIONS = 3;

    private TrainerOperations() {}

    /**
     * Posts questions.
     *
     * @param all whether all other open questions are withdrawn
     */
    static void post(Connection connection, Rating rating, Collection<Question> questions, boolean all, long now)
            throws SQLException {
        for (Question question : questions) {
            Sql.change(
                    connection,
                    "INSERT INTO pgkq_question (key, iteration, episode, state, posted) VALUES (?, ?, ?, 'open', ?)"
                            + " ON CONFLICT (key) DO UPDATE SET state = 'open', posted = excluded.posted,"
                            + " iteration = excluded.iteration, episode = excluded.episode"
                            + " WHERE pgkq_question.state <> 'closed'",
                    question.key(),
                    question.iteration(),
                    question.episode(),
                    now);
        }
        if (all) {
            withdrawOthers(connection, questions);
        }
        switch (rating) {
            case SCALE -> {
                for (Question question : questions) {
                    addItem(connection, question.key(), question.key(), "");
                }
            }
            case COMPARE -> addPairs(connection);
        }
    }

    private static void withdrawOthers(Connection connection, Collection<Question> questions) throws SQLException {
        List<String> kept = questions.stream().map(Question::key).toList();
        for (String key : open(connection)) {
            if (!kept.contains(key)) {
                Sql.change(connection, "UPDATE pgkq_question SET state = 'withdrawn' WHERE key = ?", key);
            }
        }
    }

    private static void addItem(Connection connection, String key, String first, String second) throws SQLException {
        Sql.change(
                connection,
                "INSERT INTO pgkq_item (key, first, second, place) VALUES (?, ?, ?, (SELECT count(*) FROM pgkq_item))"
                        + " ON CONFLICT (key) DO NOTHING",
                key,
                first,
                second);
    }

    /** Adds pairs for open questions that are not part of any. */
    private static void addPairs(Connection connection) throws SQLException {
        List<String> paired = Sql.list(
                connection,
                row -> row.getString(1),
                "SELECT first FROM pgkq_open_item UNION SELECT second FROM pgkq_open_item");
        List<String> open = open(connection);
        List<String> unpaired =
                open.stream().filter(key -> !paired.contains(key)).toList();
        if (unpaired.isEmpty()) {
            return;
        }
        List<String> judged = new ArrayList<>(open);
        judged.removeAll(unpaired);
        judged.addAll(Sql.list(
                connection,
                row -> row.getString(1),
                "SELECT key FROM pgkq_question WHERE state = 'closed' AND error > 0 AND iteration >"
                        + " (SELECT max(iteration) FROM pgkq_question WHERE state = 'closed') - ?",
                ANCHOR_ITERATIONS));
        for (Pair pair : PairDesign.of(unpaired, judged)) {
            addItem(connection, pair.key(), pair.first(), pair.second());
        }
    }

    static List<String> open(Connection connection) throws SQLException {
        return Sql.list(
                connection,
                row -> row.getString(1),
                "SELECT key FROM pgkq_question WHERE state = 'open' ORDER BY iteration, episode, key");
    }

    /**
     * The progress of the open questions.
     *
     * @param items number of open items
     * @param rated number of open items that have all their ratings
     * @param changed time of the last post, rating or undo
     * @param posted time of the last post
     */
    record Progress(int items, int rated, long changed, long posted) {
        /** The time until they are closed if nothing changes; empty while ratings are missing. */
        Optional<Duration> closesIn(PeopleSettings settings, long now) {
            if (rated < items) {
                return Optional.empty();
            }
            long left = settings.grace().toMillis() - (now - changed);
            return Optional.of(
                    Duration.ofMillis(Math.clamp(left, 0, settings.grace().toMillis())));
        }

        private boolean isTimedOut(PeopleSettings settings, long now) {
            return settings.timeout().stream().anyMatch(time -> now - posted >= time.toMillis());
        }

        boolean isDue(PeopleSettings settings, long now) {
            return isTimedOut(settings, now) || closesIn(settings, now).stream().anyMatch(Duration::isZero);
        }
    }

    static Progress progress(Connection connection, int raters) throws SQLException {
        long posted = Sql.number(connection, "SELECT max(posted) FROM pgkq_question WHERE state = 'open'");
        long rated = Sql.number(
                connection,
                "SELECT max(max(r.at), coalesce(max(r.withdrawn), 0)) FROM pgkq_rating r"
                        + " WHERE r.item IN (SELECT key FROM pgkq_open_item)");
        return new Progress(
                (int) Sql.number(connection, "SELECT count(*) FROM pgkq_open_item"),
                (int) Sql.number(connection, "SELECT count(*) FROM pgkq_open_item WHERE ratings >= ?", raters),
                Math.max(posted, rated),
                posted);
    }

    /** Closes the open questions, with rewards computed from the ratings. Questions without ratings expire. */
    static void close(Connection connection, Rating rating, long now) throws SQLException {
        List<String> open = open(connection);
        Map<String, Judgement> judgements = switch (rating) {
            case SCALE -> ratings(connection, open);
            case COMPARE -> scores(connection, open);
        };
        List<String> items = Sql.list(connection, row -> row.getString(1), "SELECT key FROM pgkq_open_item");
        for (String key : open) {
            Judgement judgement = judgements.get(key);
            if (judgement == null) {
                Sql.change(connection, "UPDATE pgkq_question SET state = 'expired' WHERE key = ?", key);
            } else {
                Sql.change(
                        connection,
                        "UPDATE pgkq_question SET state = 'closed', closed = ?, value = ?, error = ?, note = ?"
                                + " WHERE key = ?",
                        now,
                        judgement.value(),
                        judgement.error(),
                        judgement.note(),
                        key);
            }
        }
        for (String item : items) {
            Sql.change(connection, "DELETE FROM pgkq_lease WHERE item = ?", item);
            Sql.change(connection, "DELETE FROM pgkq_skip WHERE item = ?", item);
        }
    }

    private record Vote(String rater, double value) {}

    private static Map<String, Judgement> ratings(Connection connection, List<String> open) throws SQLException {
        Map<String, Judgement> judgements = new LinkedHashMap<>();
        for (String key : open) {
            List<Vote> votes = Sql.list(
                    connection,
                    row -> new Vote(row.getString(1), row.getDouble(2)),
                    "SELECT rater, value FROM pgkq_rating WHERE item = ? AND withdrawn IS NULL ORDER BY id",
                    key);
            if (!votes.isEmpty()) {
                judgements.put(key, judgement(votes));
            }
        }
        return judgements;
    }

    private static Judgement judgement(List<Vote> votes) {
        double mean = votes.stream().mapToDouble(Vote::value).average().orElseThrow();
        double squares = votes.stream()
                .mapToDouble(one -> (one.value - mean) * (one.value - mean))
                .sum();
        double deviation = votes.size() < 2 ? Double.NaN : Math.sqrt(squares / (votes.size() - 1));
        String names = votes.stream()
                .map(one -> String.format(Locale.ROOT, "%.0f by %s", one.value, one.rater))
                .collect(Collectors.joining(", "));
        String note = votes.size() < 2
                ? "rated " + names
                : String.format(Locale.ROOT, "rated %s; standard deviation %.2f", names, deviation);
        return new Judgement(mean, deviation, note);
    }

    private static Map<String, Judgement> scores(Connection connection, List<String> open) throws SQLException {
        List<Opinion> opinions = Sql.list(
                connection,
                row -> new Opinion(row.getString(1), row.getString(2), row.getDouble(3)),
                "SELECT i.first, i.second, r.value FROM pgkq_open_item i JOIN pgkq_rating r ON r.item = i.key"
                        + " WHERE r.withdrawn IS NULL ORDER BY i.place, r.id");
        Map<String, EarlierScore> earlier = new LinkedHashMap<>();
        for (Map.Entry<String, EarlierScore> one : Sql.list(
                connection,
                row -> Map.entry(row.getString(1), new EarlierScore(row.getDouble(2), row.getDouble(3))),
                "SELECT key, value, error FROM pgkq_question WHERE state = 'closed' AND error > 0")) {
            earlier.put(one.getKey(), one.getValue());
        }
        Map<String, Long> counts = open.stream()
                .collect(Collectors.toMap(
                        key -> key,
                        key -> opinions.stream()
                                .filter(opinion -> opinion.first().equals(key)
                                        || opinion.second().equals(key))
                                .count()));
        boolean alone = Sql.number(connection, "SELECT count(*) FROM pgkq_open_item") == 0;
        Map<String, Judgement> judgements = new LinkedHashMap<>();
        for (Map.Entry<String, Score> one : Scores.of(open, earlier, opinions).entrySet()) {
            long count = counts.getOrDefault(one.getKey(), 0L);
            if (count > 0 || alone) {
                Score score = one.getValue();
                String note = String.format(
                        Locale.ROOT, "score %.2f ± %.2f from %d comparisons", score.value(), score.error(), count);
                judgements.put(one.getKey(), new Judgement(score.value(), score.error(), note));
            }
        }
        return judgements;
    }

    /** Reads the columns {@code value}, {@code error} and {@code note}. */
    static Judgement judgement(ResultSet row) throws SQLException {
        double value = row.getDouble("value");
        double error = row.getDouble("error");
        boolean known = !row.wasNull();
        return new Judgement(value, known ? error : Double.NaN, row.getString("note"));
    }
}
