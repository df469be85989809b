package dev.pgkq.rewards.advise;

import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.database.SqliteDatabase;
import java.nio.file.Path;
import java.util.List;

/**
 * The tables of an adviser. Items are in a table of their own, because a round has megabytes of them and most queries need none.
 * Scores are in the ledger; the copies in lessons say what the model has learned, and in which order.
 */
final class AdviserTables {
    private static final String KIND = "adviser";

    /** The tables that readers need. */
    static final List<String> NAMES =
            List.of("pgkq_adviser", "pgkq_round", "pgkq_round_items", "pgkq_lesson", "pgkq_learned");

    static final Schema CURRENT = new Schema(
            "pgkq_adviser_schema",
            List.of(
                    List.of(
                            """
            CREATE TABLE pgkq_adviser (
                id INTEGER NOT NULL PRIMARY KEY,
                run TEXT NOT NULL,
                grain TEXT NOT NULL,
                seed BIGINT NOT NULL,
                changes BIGINT NOT NULL)
            """,
                            """
            CREATE TABLE pgkq_round (
                number INTEGER NOT NULL PRIMARY KEY,
                judge TEXT NOT NULL,
                source BIGINT NOT NULL,
                state TEXT NOT NULL,
                asked BIGINT NOT NULL,
                closed BIGINT,
                hash TEXT NOT NULL,
                items BIGINT NOT NULL,
                chosen BYTES NOT NULL,
                weights BYTES NOT NULL,
                predicted BYTES NOT NULL,
                variances BYTES NOT NULL,
                error_before DOUBLE PRECISION,
                expected_error DOUBLE PRECISION,
                random_error DOUBLE PRECISION,
                abandoned BYTES NOT NULL,
                owned BYTES NOT NULL,
                estimates BYTES)
            """,
                            "CREATE INDEX pgkq_round_by_state ON pgkq_round (state, number)",
                            """
            CREATE TABLE pgkq_round_items (
                round INTEGER NOT NULL PRIMARY KEY,
                width BIGINT NOT NULL,
                projection_width BIGINT NOT NULL,
                starts BYTES NOT NULL,
                ids BYTES,
                features BYTES NOT NULL,
                projections BYTES NOT NULL)
            """,
                            """
            CREATE TABLE pgkq_lesson (
                number INTEGER NOT NULL PRIMARY KEY,
                judge TEXT NOT NULL,
                round BIGINT NOT NULL,
                closes BIGINT NOT NULL,
                scores BYTES NOT NULL)
            """,
                            "CREATE INDEX pgkq_lesson_by_judge ON pgkq_lesson (judge, number)",
                            "CREATE TABLE pgkq_learned (key TEXT NOT NULL PRIMARY KEY, lesson BIGINT NOT NULL)"),
                    List.of(
                            "ALTER TABLE pgkq_adviser ADD COLUMN max_evaluations BIGINT",
                            "ALTER TABLE pgkq_adviser ADD COLUMN max_cost DOUBLE PRECISION"),
                    List.of("""
            CREATE TABLE pgkq_request (
                request TEXT NOT NULL PRIMARY KEY,
                round BIGINT NOT NULL,
                resumed BIGINT NOT NULL)
            """, "CREATE INDEX pgkq_request_by_round ON pgkq_request (round)")));

    /** Every transaction counts, also one that removes something. */
    private static final String PROGRESS = "SELECT COALESCE(max(changes), 0) FROM pgkq_adviser";

    private AdviserTables() {}

    static SqliteDatabase in(Path file) {
        return new SqliteDatabase(file, KIND, CURRENT.table(), PROGRESS);
    }
}
