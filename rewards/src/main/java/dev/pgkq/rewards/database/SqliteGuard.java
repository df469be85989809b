package dev.pgkq.rewards.database;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteErrorCode;

/**
 * Notices when the file of a database is deleted, replaced, truncated or overwritten. SQLite notices none of this: it goes on in
 * a file that has no name any more, or with the pages that it remembers, and every commit seems to succeed.
 *
 * <p>Four things are compared. Device and inode of the file, and of its log, show that the name belongs to another file. Size
 * and time of modification show that something was written to it, which may be an ordinary checkpoint of the log. So, whenever
 * they differ, the identity of the database is read from the file itself: when the database was created, to the millisecond. An
 * older copy of the database has the same identity, but less in it: its progress is behind what was seen before.
 *
 * <p>As long as the connection is open it can read everything, also from a file without a name. So the contents are saved first.
 */
final class SqliteGuard implements DatabaseGuard {
    private static final int CHECKS = 5;
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final SqliteDatabase database;
    private final Path file;
    private final Path log;
    private final String identity;
    private @Nullable Object logKey;
    private Seen seen;
    private String seenIdentity;
    private long seenProgress;
    private String changes = "";

    /**
     * What the file system says about a file.
     *
     * @param key device and inode; null where there is no such thing
     */
    private record Seen(@Nullable Object key, long size, FileTime modified) {
        static Optional<Seen> of(Path file) {
            try {
                BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
                return Optional.of(new Seen(attributes.fileKey(), attributes.size(), attributes.lastModifiedTime()));
            } catch (IOException e) {
                return Optional.empty();
            }
        }
    }

    /** Starts with the file as it is, which {@code connection} has just opened. */
    SqliteGuard(SqliteDatabase database, Connection connection) throws SQLException {
        this.database = database;
        this.file = database.file();
        this.log = database.log();
        this.identity = database.identity(connection);
        if (!identityIfReadable().equals(identity)) {
            try (PreparedStatement checkpoint = connection.prepareStatement("PRAGMA wal_checkpoint(FULL)")) {
                checkpoint.execute(); // a new database is only in the log
            }
        }
        this.seen = Seen.of(file).orElseThrow(() -> new SQLException(file + " was deleted"));
        this.seenIdentity = identityIfReadable();
        this.seenProgress = database.progress(connection);
    }

    /** The identity in the file; empty if there is none, or while other processes create the database. */
    private String identityIfReadable() {
        try {
            return identityInFile();
        } catch (SQLException e) {
            return "";
        }
    }

    @Override
    public Optional<String> change() {
        Optional<Seen> found = Seen.of(file);
        if (found.isEmpty()) {
            return Optional.of("was deleted");
        }
        Seen now = found.get();
        if (!Objects.equals(now.key, seen.key)) {
            return Optional.of("was replaced by another file");
        }
        Object logNow = keyOfLog();
        if (logKey == null) {
            logKey = logNow;
        }
        if (!Objects.equals(logNow, logKey)) {
            return Optional.of("lost its log " + log + ", which was deleted or replaced");
        }
        return now.equals(seen) ? Optional.empty() : lastingChange(now);
    }

    /** Another process may be copying its log into the file at this moment: what is read then need not make sense. */
    private Optional<String> lastingChange(Seen now) {
        Optional<String> change = changeOfContents(now);
        for (int i = 0; i < CHECKS && change.isPresent(); i++) {
            LockSupport.parkNanos(PAUSE.toNanos());
            change = changeOfContents(Seen.of(file).orElse(now));
        }
        return change;
    }

    private Optional<String> changeOfContents(Seen now) {
        String found;
        try {
            found = identityInFile();
        } catch (SQLException e) {
            if (SqliteErrors.is(e, SQLiteErrorCode.SQLITE_NOTADB)) {
                return Optional.of("was overwritten");
            }
            // Page 1 may be ahead of the file, if a process was killed while it copied the log.
            boolean truncated = SqliteErrors.is(e, SQLiteErrorCode.SQLITE_CORRUPT) && now.size < seen.size;
            return truncated ? Optional.of("was truncated") : Optional.empty();
        }
        if (!found.equals(identity) && !found.equals(seenIdentity)) {
            return Optional.of(now.size == 0 ? "was truncated" : "was overwritten by another database");
        }
        // The file alone may have less than before, while a process copies its log or if it was killed then; with the
        // log it has not.
        long progress;
        try {
            progress = database.progressOnDisk();
        } catch (SQLException e) {
            boolean damaged = SqliteErrors.is(e, SQLiteErrorCode.SQLITE_NOTADB, SQLiteErrorCode.SQLITE_CORRUPT);
            // what could not be read is looked at again
            return damaged ? Optional.of("was overwritten") : Optional.empty();
        }
        if (progress < seenProgress) {
            return Optional.of("was overwritten by an older copy of it");
        }
        seen = now;
        seenIdentity = found;
        seenProgress = progress;
        return Optional.empty();
    }

    /** The identity in the file, without the log; empty if there is none. */
    private String identityInFile() throws SQLException {
        try (Connection connection = database.openWithoutLog()) {
            return database.identity(connection);
        } catch (SQLException e) {
            if (SqliteErrors.is(e, SQLiteErrorCode.SQLITE_ERROR)) {
                return ""; // no such table
            }
            throw e;
        }
    }

    private @Nullable Object keyOfLog() {
        return Seen.of(log).map(Seen::key).orElse(null);
    }

    /** What was recorded since the file changed last is in the log only, and an older copy lacks it all the same. */
    @Override
    public void used(Connection connection) {
        try {
            String now = SqliteDatabase.text(connection, "SELECT total_changes()");
            if (!now.equals(changes)) {
                changes = now;
                seenProgress = Math.max(seenProgress, database.progress(connection));
            }
        } catch (SQLException e) {
            // the work is done all the same
        }
    }

    @Override
    public void disconnected() {
        logKey = null;
    }

    @Override
    public String rescue(Optional<Connection> connection) {
        if (connection.isEmpty()) {
            return notSaved("the connection to it was lost");
        }
        Path copy = unused();
        try {
            requireProgress(connection.get());
            copy(connection.get(), copy);
        } catch (SQLException | IOException e) {
            deleteIfExists(copy);
            return notSaved(String.valueOf(e.getMessage()));
        }
        removeLog();
        return "Everything that was recorded in it is saved in " + copy + ": move that file to " + file
                + ", then resume";
    }

    /** An older copy may be sound. */
    private void requireProgress(Connection connection) throws SQLException {
        if (database.progress(connection) < seenProgress) {
            throw new SQLException("it has less than was recorded");
        }
    }

    /** What the connection does not remember is read from the file, which may be another database now: this is checked first. */
    private static void copy(Connection connection, Path copy) throws SQLException, IOException {
        String finding = SqliteDatabase.text(connection, "PRAGMA integrity_check(1)");
        if (!finding.equals("ok")) {
            throw new SQLException(finding.strip().replaceAll("\\s+", " "));
        }
        try (PreparedStatement statement = connection.prepareStatement("VACUUM INTO ?")) {
            statement.setString(1, copy.toAbsolutePath().toString());
            statement.execute();
        }
        try (FileChannel written = FileChannel.open(copy, StandardOpenOption.WRITE)) {
            written.force(true);
        }
    }

    private String notSaved(String reason) {
        return "What was recorded in it could not be saved (" + reason + "). Restore a backup to " + file
                + ", then resume";
    }

    /** Whoever opens the file next would apply the log to it, although it belongs to another one. */
    private void removeLog() {
        if (logKey != null && logKey.equals(keyOfLog())) {
            deleteIfExists(log);
            deleteIfExists(file.resolveSibling(file.getFileName() + "-shm"));
        }
    }

    /** {@code ledger.rescued.db}, or the next name that is free. */
    private Path unused() {
        String name = String.valueOf(file.getFileName());
        int dot = name.lastIndexOf('.');
        String stem = dot > 0 ? name.substring(0, dot) : name;
        String ending = dot > 0 ? name.substring(dot) : "";
        Path copy = file.resolveSibling(stem + ".rescued" + ending);
        for (int i = 2; Files.exists(copy); i++) {
            copy = file.resolveSibling(stem + ".rescued-" + i + ending);
        }
        return copy;
    }

    private static void deleteIfExists(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            // It stays.
        }
    }
}
