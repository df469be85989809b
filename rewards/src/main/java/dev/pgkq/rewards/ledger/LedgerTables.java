package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.PostgresDatabase;
import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.database.SqliteDatabase;
import java.nio.file.Path;
import java.util.List;

/** The tables of a ledger. */
final class LedgerTables {
    /** Name of this kind of database in messages. */
    static final String KIND = "ledger";

    /**
     * Calls that count although they were not answered, and what they cost; and what the call under way is to cost if nothing is
     * heard of it again, null if nothing.
     */
    private static final List<String> UNANSWERED_CALLS = List.of(
            "ALTER TABLE pgkq_evaluation ADD COLUMN unanswered BIGINT NOT NULL DEFAULT 0",
            "ALTER TABLE pgkq_evaluation ADD COLUMN unanswered_cost DOUBLE PRECISION NOT NULL DEFAULT 0",
            "ALTER TABLE pgkq_evaluation ADD COLUMN charge DOUBLE PRECISION");

    static final Schema CURRENT = new Schema(
            "pgkq_schema",
            List.of(
                    List.of("""
            CREATE TABLE pgkq_evaluation (
                key TEXT NOT NULL PRIMARY KEY,
                oracle TEXT NOT NULL,
                task TEXT NOT NULL,
                run TEXT NOT NULL,
                iteration BIGINT NOT NULL,
                episode BIGINT NOT NULL,
                steps BIGINT NOT NULL,
                state TEXT NOT NULL,
                attempts BIGINT NOT NULL,
                forgiven BIGINT NOT NULL,
                in_doubt BIGINT NOT NULL,
                reused BIGINT NOT NULL,
                requested BIGINT NOT NULL,
                started BIGINT,
                finished BIGINT,
                owner TEXT NOT NULL,
                token TEXT NOT NULL,
                lease_until BIGINT NOT NULL,
                error TEXT NOT NULL,
                grain TEXT,
                rewards BYTES,
                cost DOUBLE PRECISION,
                checksum BIGINT)
            """, "CREATE INDEX pgkq_evaluation_by_time ON pgkq_evaluation (requested, key)"),
                    UNANSWERED_CALLS,
                    List.of("""
            CREATE TABLE pgkq_oracle (
                oracle TEXT NOT NULL,
                contents TEXT NOT NULL,
                since BIGINT NOT NULL,
                PRIMARY KEY (oracle, contents))
            """)));

    /** Evaluations, attempts and answers are never taken back. The columns are those of version 1. */
    private static final String PROGRESS = "SELECT count(*) + COALESCE(sum(attempts + in_doubt + (state = 'done')), 0)"
            + " FROM " + EvaluationTable.NAME;

    /** The oldest version whose evaluations can be read as they are. */
    static final int OLDEST_READABLE = 2;

    private LedgerTables() {}

    /** The database at a location. Nothing is opened yet. */
    static Database at(LedgerLocation location) {
        return switch (location) {
            case LedgerLocation.InFile(Path file) -> in(file);
            case LedgerLocation.OnServer(String url) -> new PostgresDatabase(url, KIND);
        };
    }

    /** A ledger in a file. */
    static SqliteDatabase in(Path file) {
        return new SqliteDatabase(file, KIND, CURRENT.table(), PROGRESS);
    }
}
