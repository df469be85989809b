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

/** Error messages for SQLite databases. */
final class SqliteErrors {
    /** Errors are thrown as exceptions; the driver would log them with a stack trace, too. */
    private static final Logger LOGGER = Logger.getLogger("org.sqlite");

    static {
        LOGGER.setLevel(Level.OFF);
    }

    private SqliteErrors() {}

    /** Whether an error is of one of these kinds. */
    static boolean is(SQLException e, SQLiteErrorCode... kinds) {
        for (SQLiteErrorCode kind : kinds) {
            // The higher bits distinguish variants of a kind.
            if ((e.getErrorCode() & 0xff) == kind.code) {
                return true;
            }
        }
        return false;
    }

    /** Whether there is no space for the index of the log, a file of 32 kB that SQLite needs even for reading. */
    static boolean isWithoutRoomForTheIndex(SQLException e) {
        return e instanceof SQLiteException sqlite && sqlite.getResultCode() == SQLiteErrorCode.SQLITE_IOERR_SHMSIZE;
    }

    static UserException of(SqliteDatabase database, String doing, SQLException e) {
        if (is(e, SQLiteErrorCode.SQLITE_CORRUPT)) {
            return damaged(database, String.valueOf(e.getMessage()));
        }
        String message =
                "cannot " + doing + " the " + database.kind() + " " + database.file() + ": " + reason(database, e);
        if (isFull(e)) {
            return new DatabaseFull(message, e);
        }
        return isLocked(e) ? new DatabaseLocked(message, e) : new UserException(message, e);
    }

    static UserException damaged(SqliteDatabase database, String finding) {
        Path file = database.file();
        return new UserException("the " + database.kind() + " " + file + " is damaged (" + finding
                + ") and was left unchanged. Restore a backup, or save what can be read with: sqlite3 " + file
                + " .recover | sqlite3 NEW.db");
    }

    private static boolean isFull(SQLException e) {
        return is(e, SQLiteErrorCode.SQLITE_FULL) || isWithoutRoomForTheIndex(e);
    }

    private static boolean isLocked(SQLException e) {
        return is(e, SQLiteErrorCode.SQLITE_BUSY, SQLiteErrorCode.SQLITE_LOCKED);
    }

    private static String reason(SqliteDatabase database, SQLException e) {
        Path file = database.file();
        if (isFull(e)) {
            return "the disk is full. Its contents are safe; free some space, then resume";
        }
        if (is(e, SQLiteErrorCode.SQLITE_CANTOPEN) && !Files.exists(file)) {
            return "it does not exist and cannot be created. Check that its folder exists and is writable";
        }
        if (is(e, SQLiteErrorCode.SQLITE_READONLY, SQLiteErrorCode.SQLITE_CANTOPEN, SQLiteErrorCode.SQLITE_PERM)) {
            return "it is not writable. Make the file and its folder, where SQLite keeps its log, writable, or use"
                    + " another file; its contents are unchanged";
        }
        if (is(e, SQLiteErrorCode.SQLITE_INTERRUPT)) {
            return "reading it takes too long. Its contents are unchanged";
        }
        if (is(e, SQLiteErrorCode.SQLITE_NOTADB)) {
            return "it is not a database, and was left unchanged. Specify another file, or move this one away";
        }
        if (isLocked(e)) {
            return "another process has locked it for " + SqliteDatabase.BUSY_TIMEOUT_MILLIS / 1000
                    + " s. Find out which process uses it, then resume";
        }
        if (is(e, SQLiteErrorCode.SQLITE_IOERR)) {
            return "the disk reports an error (" + e.getMessage()
                    + "). Check that it has space and is still available; the contents of the " + database.kind()
                    + " are unchanged";
        }
        if (e.getCause() instanceof NativeLibraryNotFoundException) {
            return "SQLite cannot be unpacked and run in " + System.getProperty("java.io.tmpdir")
                    + ". Pass a suitable folder to Java with -Dorg.sqlite.tmpdir=FOLDER (in PGKQ_JAVA_OPTS for the launcher)";
        }
        return e.getMessage() + ". Its contents are unchanged";
    }
}
