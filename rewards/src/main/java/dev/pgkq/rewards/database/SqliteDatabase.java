package dev.pgkq.rewards.database;

import dev.pgkq.rewards.files.BoundedFile;
import dev.pgkq.rewards.files.FileErrors;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.sqlite.JDBC;
import org.sqlite.ProgressHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.TransactionMode;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;
import org.sqlite.SQLiteOpenMode;

/**
 * A database in a file. Writes go to a log beside it first and are forced to disk at every commit (WAL, synchronous=FULL), so
 * that neither a crash nor a power failure undoes a commit.
 *
 * <p>Only SQLite opens the file: on Unix, a process that closes a file loses all locks it has on it, including those that SQLite
 * holds for another connection. For the same reason the address is a URI: given a plain path, the driver checks whether the file
 * can be created, and deletes it again, perhaps while another process is using it.
 *
 * @param file the file
 * @param kind what the database is used for, in messages
 * @param mark a table that every database of this kind has
 * @param progress a query for a number that never decreases, by which an older copy is recognized
 */
public record SqliteDatabase(Path file, String kind, String mark, String progress) implements Database {
    /** How long to wait for another process that is writing. */
    static final int BUSY_TIMEOUT_MILLIS = 30_000;

    private static final Duration BUSY_PAUSE = Duration.ofMillis(10);

    /** Takes about a millisecond. */
    private static final int OPERATIONS_BETWEEN_CHECKS = 100_000;

    /** Cancels what takes longer. The driver's own time limit is only for locks. */
    private static final class Deadline extends ProgressHandler {
        private final long start = System.nanoTime();
        private final long nanos;

        Deadline(Duration limit) {
            this.nanos = limit.toNanos();
        }

        @Override
        protected int progress() {
            return System.nanoTime() - start > nanos ? 1 : 0;
        }
    }

    @Override
    public String name() {
        return file.toString();
    }

    @Override
    public Connection connectFirst() throws SQLException {
        makeFolder();
        requireFile();
        Connection connection = open("", TransactionMode.IMMEDIATE, SQLiteOpenMode.READWRITE, SQLiteOpenMode.CREATE);
        try {
            requireSound(connection);
            requireOurs(connection);
            makeDurable(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection connect() throws SQLException {
        Connection connection = open("", TransactionMode.IMMEDIATE, SQLiteOpenMode.READWRITE);
        try {
            makeDurable(connection);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /**
     * Even for reading, SQLite keeps its log and the log's index in the folder, and only a connection that could write removes them.
     * If it may not write there, or has no space, and there is no log, then nobody is writing and the file can be read as it is.
     */
    @Override
    public Connection connectToRead(Duration limit) throws SQLException {
        if (!Files.exists(file)) {
            throw new UserException(
                    "there is no " + kind + " " + file + "; specify the file, or the run directory that contains it");
        }
        requireFile();
        try {
            return reading(open("", TransactionMode.DEFERRED, SQLiteOpenMode.READWRITE), limit);
        } catch (SQLException e) {
            boolean unwritable = SqliteErrors.is(e, SQLiteErrorCode.SQLITE_CANTOPEN, SQLiteErrorCode.SQLITE_READONLY)
                    || SqliteErrors.isWithoutRoomForTheIndex(e);
            if (!unwritable || hasLog()) {
                throw e;
            }
            return reading(openWithoutLog(), limit);
        }
    }

    private Connection reading(Connection connection, Duration limit) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            ProgressHandler.setHandler(connection, OPERATIONS_BETWEEN_CHECKS, new Deadline(limit));
            statement.execute("PRAGMA query_only = ON");
            requireOurs(connection);
            return connection;
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public DatabaseGuard guard(Connection connection) throws SQLException {
        return new SqliteGuard(this, connection);
    }

    /** The log of writes that are not in the file yet. */
    Path log() {
        return file.resolveSibling(file.getFileName() + "-wal");
    }

    /** When the database was created, which tells it from others. */
    String identity(Connection connection) throws SQLException {
        return text(connection, "SELECT CAST(min(since) AS TEXT) FROM " + mark);
    }

    /** How much was recorded. */
    long progress(Connection connection) throws SQLException {
        String found = text(connection, progress);
        try {
            return Long.parseLong(found);
        } catch (NumberFormatException e) {
            throw new SQLiteException("what was recorded adds up to " + found, SQLiteErrorCode.SQLITE_CORRUPT);
        }
    }

    /** How much was recorded, according to the file and its log as they are now, without what other connections remember. */
    long progressOnDisk() throws SQLException {
        // a connection that cannot write leaves the log alone when it is closed
        try (Connection connection = open("", TransactionMode.DEFERRED, SQLiteOpenMode.READONLY)) {
            return progress(connection);
        }
    }

    /** Opens the file as it is, for reading, as if it had no log. */
    Connection openWithoutLog() throws SQLException {
        return open("?immutable=1", TransactionMode.DEFERRED, SQLiteOpenMode.READONLY);
    }

    private boolean hasLog() {
        try {
            return Files.exists(log()) && Files.size(log()) > 0;
        } catch (IOException e) {
            return true;
        }
    }

    /** SQLite might wait for the other end of a pipe. */
    private void requireFile() {
        try {
            BoundedFile.requireIfPresent(file);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private void makeFolder() {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || Files.isDirectory(folder)) {
            return;
        }
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw FileErrors.writing(file, e);
        }
    }

    private Connection open(String parameters, TransactionMode transactions, SQLiteOpenMode... modes)
            throws SQLException {
        SqliteLibrary.prepare();
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.READWRITE);
        config.resetOpenMode(SQLiteOpenMode.CREATE);
        for (SQLiteOpenMode mode : modes) {
            config.setOpenMode(mode);
        }
        config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
        config.setTransactionMode(transactions);
        return JDBC.createConnection(JDBC.PREFIX + file.toUri() + parameters, config.toProperties());
    }

    /** Called before anything is written, so that a damaged file is not damaged further. */
    private void requireSound(Connection connection) throws SQLException {
        String finding = text(connection, "PRAGMA quick_check(1)");
        if (!finding.equals("ok")) {
            throw SqliteErrors.damaged(this, finding.strip().replaceAll("\\s+", " "));
        }
    }

    private void requireOurs(Connection connection) throws SQLException {
        String others = text(
                connection,
                "SELECT count(*) FROM sqlite_master WHERE NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = '" + mark
                        + "')");
        if (!others.equals("0")) {
            throw new UserException(file + " is another kind of database, not a " + kind + "; specify another file");
        }
    }

    private static void makeDurable(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            keepLog(statement);
            statement.execute("PRAGMA synchronous = FULL");
            // On macOS, fsync leaves data in the drive's cache.
            statement.execute("PRAGMA fullfsync = ON");
            statement.execute("PRAGMA checkpoint_fullfsync = ON");
        }
    }

    /** SQLite does not wait for others that create the same database at this moment. */
    private static void keepLog(Statement statement) throws SQLException {
        long start = System.nanoTime();
        while (true) {
            try {
                statement.execute("PRAGMA journal_mode = WAL");
                return;
            } catch (SQLException e) {
                boolean inTime = System.nanoTime() - start < BUSY_TIMEOUT_MILLIS * 1_000_000L;
                if (!inTime || !SqliteErrors.is(e, SQLiteErrorCode.SQLITE_BUSY)) {
                    throw e;
                }
                LockSupport.parkNanos(BUSY_PAUSE.toNanos());
            }
        }
    }

    static String text(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return String.valueOf(rows.getString(1));
        }
    }

    @Override
    public String now() {
        return "CAST(ROUND(unixepoch('subsec') * 1000) AS INTEGER)";
    }

    @Override
    public String bytesType() {
        return "BLOB";
    }

    @Override
    public String countTablesQuery() {
        // Generated columns are computed when they are read, for as long as it takes.
        return "SELECT count(*) FROM pragma_table_list AS t WHERE t.schema = 'main' AND t.type = 'table' AND t.name = ?"
                + " AND NOT EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) AS c WHERE c.hidden <> 0)";
    }

    /** Not needed: only one transaction can write at a time. */
    @Override
    public void lockSchema(Connection connection) {}

    @Override
    public boolean isTransient(SQLException e) {
        return false;
    }

    @Override
    public UserException error(String doing, SQLException e) {
        return SqliteErrors.of(this, doing, e);
    }
}
