package dev.pgkq.rewards.people;

import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.database.SqliteDatabase;
import java.nio.file.Path;
import java.util.List;

/**
 * The tables of the queue. A <em>question</em> is an episode whose reward is requested. An <em>item</em> is what a rater is shown: an
 * episode, or two of them. It is open while one of its episodes is open and none was withdrawn.
 *
 * <p>The view of open items starts from the open questions, which are few however long the run is.
 *
 * <p>Ratings are never deleted: those that were taken back have the time of that.
 */
final class PeopleTables {
    private static final String KIND = "queue of ratings";

    static final Schema CURRENT = new Schema(
            "pgkq_people_schema",
            List.of(List.of(
                    "CREATE TABLE pgkq_people_setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL)",
                    """
            CREATE TABLE pgkq_question (
                key TEXT NOT NULL PRIMARY KEY,
                iteration BIGINT NOT NULL,
                episode BIGINT NOT NULL,
                state TEXT NOT NULL,
                posted BIGINT NOT NULL,
                closed BIGINT,
                value DOUBLE PRECISION,
                error DOUBLE PRECISION,
                note TEXT NOT NULL DEFAULT '')
            """,
                    "CREATE INDEX pgkq_question_by_state ON pgkq_question (state, iteration)",
                    """
            CREATE TABLE pgkq_item (
                key TEXT NOT NULL PRIMARY KEY,
                first TEXT NOT NULL,
                second TEXT NOT NULL,
                place BIGINT NOT NULL)
            """,
                    "CREATE INDEX pgkq_item_by_first ON pgkq_item (first)",
                    "CREATE INDEX pgkq_item_by_second ON pgkq_item (second)",
                    """
            CREATE TABLE pgkq_rating (
                id INTEGER PRIMARY KEY,
                item TEXT NOT NULL,
                rater TEXT NOT NULL,
                value DOUBLE PRECISION NOT NULL,
                at BIGINT NOT NULL,
                withdrawn BIGINT)
            """,
                    "CREATE UNIQUE INDEX pgkq_rating_once ON pgkq_rating (item, rater) WHERE withdrawn IS NULL",
                    "CREATE INDEX pgkq_rating_by_item ON pgkq_rating (item)",
                    """
            CREATE TABLE pgkq_lease (
                item TEXT NOT NULL,
                rater TEXT NOT NULL,
                until BIGINT NOT NULL,
                PRIMARY KEY (item, rater))
            """,
                    """
            CREATE TABLE pgkq_skip (
                item TEXT NOT NULL,
                rater TEXT NOT NULL,
                at BIGINT NOT NULL,
                PRIMARY KEY (item, rater))
            """,
                    "CREATE TABLE pgkq_rater (name TEXT NOT NULL PRIMARY KEY, seen BIGINT NOT NULL)",
                    """
            CREATE VIEW pgkq_open_item AS
            SELECT i.key, i.first, i.second, i.place,
                   a.iteration AS first_iteration, a.episode AS first_episode,
                   b.iteration AS second_iteration, b.episode AS second_episode,
                   (SELECT count(*) FROM pgkq_rating r WHERE r.item = i.key AND r.withdrawn IS NULL) AS ratings
            FROM pgkq_item i JOIN pgkq_question a ON a.key = i.first LEFT JOIN pgkq_question b ON b.key = i.second
            WHERE i.key IN (SELECT f.key FROM pgkq_question q JOIN pgkq_item f ON f.first = q.key WHERE q.state = 'open'
                            UNION SELECT s.key FROM pgkq_question q JOIN pgkq_item s ON s.second = q.key
                            WHERE q.state = 'open')
                  AND a.state IN ('open', 'closed') AND (i.second = '' OR b.state IN ('open', 'closed'))
            """)));

    private static final String PROGRESS = "SELECT count(*) + count(withdrawn) FROM pgkq_rating";

    private PeopleTables() {}

    static SqliteDatabase in(Path file) {
        return new SqliteDatabase(file, KIND, CURRENT.table(), PROGRESS);
    }
}
