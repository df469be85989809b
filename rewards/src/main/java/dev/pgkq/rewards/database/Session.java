package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A connection to a database, used by one thread at a time. That is fast enough where a single reward takes a minute.
 *
 * <p>After any error the connection is dropped and the next use opens a new one, so no error leaves it in an unknown state. After a
 * transient error, such as a restarting server, the work is repeated on the new connection. It may have been done the first time,
 * with only the confirmation lost, so work must be idempotent.
 */
public final class Session implements AutoCloseable {
    /** How long to retry after transient errors: long enough for a server to restart. */
    public static final Duration DEFAULT_RETRY_TIME = Duration.ofMinutes(2);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Longer than work takes without errors. */
    private static final Duration INTERRUPTED_WAIT = Duration.ofSeconds(1);

    private static final String CONNECTION_FAILURE = "08006";

    private final Database database;
    private final Duration retryTime;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean closed;

    /** Work to do on a connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        /** Does the work; may be called again after an error. */
        T on(Connection connection) throws SQLException;
    }

    private Session(Database database, Duration retryTime, Connection connection) {
        this.database = database;
        this.retryTime = retryTime;
        this.connection = connection;
    }

    /**
     * Opens the database and migrates its schema.
     *
     * @param retryTime how long work is retried after transient errors
     */
    public static Session open(Database database, Schema schema, Duration retryTime) {
        try {
            Connection first = database.connectFirst();
            try {
                schema.migrate(first, database);
                return new Session(database, retryTime, first);
            } catch (SQLException | RuntimeException e) {
                first.close();
                throw e;
            }
        } catch (SQLException e) {
            throw database.error("open", e);
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
                    return work.on(connected());
                } catch (SQLException e) {
                    drop();
                    boolean inTime = System.nanoTime() - start < retryTime.toNanos();
                    if (!inTime || !database.isTransient(e) || !rest(pause)) {
                        throw database.error(doing, e);
                    }
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        } finally {
            lock.unlock();
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
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // The connection is broken, and the error that broke it is reported.
            }
        }
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

    /** Does a last piece of work if possible, and closes the session. */
    public void close(Work<?> last) {
        lock.lock();
        try {
            if (!closed) {
                try {
                    last.on(connected());
                } catch (SQLException | UserException e) {
                    // Claims that could not be released expire by themselves.
                }
                closed = true;
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
