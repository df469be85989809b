package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.sqlite.NativeLibraryNotFoundException;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/** What SQLite reports, for people. */
final class SqliteErrors {
    /** What matters comes as an exception; the driver logs the same with a stack trace. */
    private static final Logger LOGGER = Logger.getLogger("org.sqlite");

    static {
        LOGGER.setLevel(Level.OFF);
    }

    private SqliteErrors() {}

    /** Whether an error is of one of these kinds. */
    static boolean is(SQLException e, SQLiteErrorCode... kinds) {
        for (SQLiteErrorCode kind : kinds) {
            // The higher bits tell variants of a kind.
            if ((e.getErrorCode() & 0xff) == kind.code) {
                return true;
            }
        }
        return false;
    }

    /** Of the log: also to read, SQLite keeps one, in a file of 32 kB. */
    static boolean isWithoutRoomForTheIndex(SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE;
    }

    static UserException of(SqliteDatabase database, String doing, SQLException e) {
        if (is(e, SQLiteErrorCode.SQLITE_CORRUPT)) {
            return damaged(database, String.valueOf(e.getMessage()));
        }
        return new UserException(
                "cannot " + doing + " the " + database.kind() + " " + database.file() + ": " + reason(database, e), e);
    }

    static UserException damaged(SqliteDatabase database, String finding) {
        Path file = database.file();
        return new UserException("the " + database.kind() + " " + file + " is damaged (" + finding
                + ") and was left as it is. Put a backup in its place; or save what can be read with: sqlite3 " + file
                + " .recover | sqlite3 NEW.db");
    }

    private static String reason(SqliteDatabase database, SQLException e) {
        Path file = database.file();
        if (is(e, SQLiteErrorCode.SQLITE_FULL) || isWithoutRoomForTheIndex(e)) {
            return "the disk is full. What it holds is safe; make room, then resume";
        }
        if (is(e, SQLiteErrorCode.SQLITE_CANTOPEN) && !Files.exists(file)) {
            return "it does not exist and cannot be made. Check that its folder is there and may be written";
        }
        if (is(e, SQLiteErrorCode.SQLITE_READONLY, SQLiteErrorCode.SQLITE_CANTOPEN, SQLiteErrorCode.SQLITE_PERM)) {
            return "it may not be written. Allow writing the file and its folder, where SQLite keeps its log, or use"
                    + " another file; what it holds is untouched";
        }
        if (is(e, SQLiteErrorCode.SQLITE_NOTADB)) {
            return "it is no database, and was left as it is. Give another file, or move this one away";
        }
        if (is(e, SQLiteErrorCode.SQLITE_BUSY, SQLiteErrorCode.SQLITE_LOCKED)) {
            return "another process has kept it busy for " + SqliteDatabase.PATIENCE_MILLIS / 1000
                    + " s. See what has it open, then resume";
        }
        if (is(e, SQLiteErrorCode.SQLITE_IOERR)) {
            return "the disk reports an error (" + e.getMessage()
                    + "). Check that it has room and is still there; what the " + database.kind()
                    + " holds is as it was";
        }
        if (e.getCause() instanceof NativeLibraryNotFoundException) {
            return "SQLite cannot be unpacked and run in " + System.getProperty("java.io.tmpdir")
                    + ". Name a folder where it can: PGKQ_JAVA_OPTS=-Dorg.sqlite.tmpdir=FOLDER";
        }
        return e.getMessage() + ". What it holds is as it was";
    }
}
