package dev.pgkq.rewards.database;

import dev.pgkq.text.Durations;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a database, used by one thread at a time. That is fast enough where a single reward takes a minute.
 *
 * <p>After any error the connection is dropped and the next use opens a new one, so no error leaves it in an unknown state. After a
 * transient error, such as a restarting server, the work is repeated on the new connection. It may have been done the first time,
 * with only the confirmation lost, so work must be idempotent.
 *
 * <p>Before and after all work the session checks that the database is still the one that it opened ({@link DatabaseGuard}). If it
 * is not, its contents are saved as far as possible, and this and every later use fails with {@link DatabaseChanged}.
 */
public final class Session implements AutoCloseable {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Longer than work takes without errors. */
    private static final Duration INTERRUPTED_WAIT = Duration.ofSeconds(1);

    private static final String CONNECTION_FAILURE = "08006";

    private final Database database;
    private final Duration retryTime;
    private final DatabaseGuard guard;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean closed;
    private @Nullable DatabaseChanged changed;

    /** Work to do on a connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /** Does the work; may be called again after an error. */
        T on(Connection connection) throws SQLException;
    }

    private Session(Database database, Duration retryTime, DatabaseGuard guard, Connection connection) {
        this.database = database;
        this.retryTime = retryTime;
        this.guard = guard;
        this.connection = connection;
    }

    /**
     * Opens the database and migrates its schema. If a server cannot be reached, this waits for it.
     *
     * @param patience how long to wait for a server, now and later
     */
    public static Session open(Database database, Schema schema, Patience patience) {
        long start = System.nanoTime();
        boolean said = false;
        for (Duration pause = FIRST_PAUSE; true; pause = longer(pause)) {
            try {
                return openNow(database, schema, patience.time());
            } catch (SQLException e) {
                UserException error = database.error("open", e);
                boolean inTime = System.nanoTime() - start < patience.time().toNanos();
                if (!inTime
                        || !database.isTransient(e)
                        || patience.stopRequested().getAsBoolean()) {
                    throw error;
                }
                if (!said) {
                    patience.waiting()
                            .accept(error.getMessage() + ". Trying again for " + Durations.format(patience.time()));
                    said = true;
                }
                if (!rest(pause)) {
                    throw error;
                }
            }
        }
    }

    private static Session openNow(Database database, Schema schema, Duration retryTime) throws SQLException {
        Connection first = database.connectFirst();
        try {
            schema.migrate(first, database);
            return new Session(database, retryTime, database.guard(first), first);
        } catch (SQLException | RuntimeException e) {
            first.close();
            throw e;
        }
    }

    /** The database. */
    public Database database() {
        return database;
    }

    /**
     * Does the work. If the thread is interrupted, before or meanwhile, it does not wait for a server to come back, so that the
     * caller can do something else.
     *
     * @param doing the work in an error message, for instance "record an answer in"
     * @throws DatabaseChanged if the database is no longer the one that was opened; the work may have been done in vain
     * @throws UserException if the database fails
     * @throws IllegalStateException if the session is closed
     */
    public <T extends @Nullable Object> T use(String doing, Work<T> work) {
        enter(doing);
        try {
            if (closed) {
                throw new IllegalStateException("the " + database.kind() + " " + database.name() + " is closed");
            }
            long start = System.nanoTime();
            Duration pause = FIRST_PAUSE;
            while (true) {
                try {
                    return guarded(work);
                } catch (SQLException e) {
                    requireUnchanged(); // the reason may be that the file was changed
                    drop();
                    boolean inTime = System.nanoTime() - start < retryTime.toNanos();
                    if (!inTime || !database.isTransient(e) || !rest(pause)) {
                        throw database.error(doing, e);
                    }
                    pause = longer(pause);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T guarded(Work<T> work) throws SQLException {
        requireUnchanged();
        Connection connection = connected();
        T result = work.on(connection);
        guard.used(connection);
        requireUnchanged();
        return result;
    }

    private void requireUnchanged() {
        if (changed == null) {
            guard.change().ifPresent(change -> {
                String advice = guard.rescue(Optional.ofNullable(connection).filter(Session::endTransaction));
                // Not closed: SQLite would write its log into a file that is another database now.
                connection = null;
                changed = new DatabaseChanged("the " + database.kind() + " " + database.name() + " " + change
                        + " while it was in use. " + advice);
            });
        }
        if (changed != null) {
            throw changed;
        }
    }

    /** Returns whether the connection can be used outside a transaction. */
    private static boolean endTransaction(Connection connection) {
        try {
            if (!connection.getAutoCommit()) {
                connection.rollback();
                connection.setAutoCommit(true);
            }
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    /** Waits for the connection; after an interrupt only briefly, because the thread that holds it may wait for the server. */
    private void enter(String doing) {
        boolean interrupted = false;
        boolean locked = false;
        try {
            lock.lockInterruptibly();
            locked = true;
        } catch (InterruptedException e) {
            interrupted = true;
            locked = enterSoon();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!locked) {
            throw database.error(doing, new SQLException("other threads are waiting for it, too", CONNECTION_FAILURE));
        }
    }

    private boolean enterSoon() {
        long end = System.nanoTime() + INTERRUPTED_WAIT.toNanos();
        while (true) {
            try {
                return lock.tryLock(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // already known
            }
        }
    }

    /** Does the work in a transaction. */
    public <T extends @Nullable Object> T transact(String doing, Work<T> work) {
        return use(doing, connected -> inTransaction(connected, work));
    }

    /** Does the work in a transaction on this connection. */
    public static <T extends @Nullable Object> T inTransaction(Connection connection, Work<T> work)
            throws SQLException {
        connection.setAutoCommit(false);
        try {
            T result = work.on(connection);
            connection.commit();
            connection.setAutoCommit(true);
            return result;
        } catch (RuntimeException | Error e) {
            connection.rollback();
            connection.setAutoCommit(true);
            throw e;
        }
    }

    private Connection connected() throws SQLException {
        Connection current = connection;
        if (current == null) {
            current = database.connect();
            connection = current;
        }
        return current;
    }

    /** Closes the connection, which rolls back its transaction. */
    private void drop() {
        Connection current = connection;
        connection = null;
        guard.disconnected();
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // The connection is broken, and the error that broke it is reported.
            }
        }
    }

    private static Duration longer(Duration pause) {
        Duration doubled = pause.multipliedBy(2);
        return doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
    }

    private static boolean rest(Duration pause) {
        try {
            TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /**
     * Does a last piece of work if possible, and closes the session.
     *
     * @throws DatabaseChanged if the database is no longer the one that was opened, and nobody has been told yet
     */
    public void close(Work<?> last) {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                if (changed == null) {
                    requireUnchanged();
                    try {
                        last.on(connected());
                    } catch (SQLException | UserException e) {
                        // Claims that could not be released expire by themselves.
                    }
                }
                drop();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        close(connected -> null);
    }
}
