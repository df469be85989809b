package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A database in use: one connection, one user at a time. That is fast enough where a single reward takes a minute.
 *
 * <p>After any error the connection is dropped and the next use opens another, so nobody has to know in what state the error
 * left it. Where the error is one that passes, such as a server that restarts, the work is done again on the new connection.
 * It may have been done the first time and only the confirmation be lost, so work must be such that doing it twice is as good
 * as once.
 */
public final class Session implements AutoCloseable {
    /** How long to try again: long enough for a server to restart. */
    public static final Duration USUAL_PATIENCE = Duration.ofMinutes(2);

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Longer than a use takes where nothing is wrong. */
    private static final Duration HURRY = Duration.ofSeconds(1);

    private static final String CONNECTION_FAILURE = "08006";

    private final Database database;
    private final Duration patience;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Connection connection;
    private boolean closed;

    /** Something to do with a connection. */
    @FunctionalInterface
    public interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    private Session(Database database, Duration patience, Connection connection) {
        this.database = database;
        this.patience = patience;
        this.connection = connection;
    }

    /** Opens the database and brings its schema up to date. */
    public static Session open(Database database, Schema schema, Duration patience) {
        try {
            Connection first = database.first();
            try {
                schema.bringUpToDate(first, database);
                return new Session(database, patience, first);
            } catch (SQLException | RuntimeException e) {
                first.close();
                throw e;
            }
        } catch (SQLException e) {
            throw database.trouble("open", e);
        }
    }

    public Database database() {
        return database;
    }

    /**
     * Does the work. A thread that is interrupted, before or meanwhile, gets as much as there is without waiting for a server
     * to come back: it has to do something else with what it holds.
     *
     * @param doing what it is, for instance "record an answer in"
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
                    boolean patient = System.nanoTime() - start < patience.toNanos();
                    if (!patient || !database.isPassing(e) || !rest(pause)) {
                        throw database.trouble(doing, e);
                    }
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for the others; who is interrupted not for one who waits for the server himself. */
    private void enter(String doing) {
        boolean interrupted = false;
        boolean mine = false;
        try {
            lock.lockInterruptibly();
            mine = true;
        } catch (InterruptedException e) {
            interrupted = true;
            mine = enterSoon();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!mine) {
            throw database.trouble(doing, new SQLException("others wait for it, too", CONNECTION_FAILURE));
        }
    }

    private boolean enterSoon() {
        long end = System.nanoTime() + HURRY.toNanos();
        while (true) {
            try {
                return lock.tryLock(Math.max(0, end - System.nanoTime()), TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                // once is enough
            }
        }
    }

    /** Does the work in a transaction: all of it or nothing. */
    public <T extends @Nullable Object> T transact(String doing, Work<T> work) {
        return use(doing, connected -> inTransaction(connected, work));
    }

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

    /** Rolls back what was under way. */
    private void drop() {
        Connection current = connection;
        connection = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // It is of no use any more, and the error that made it so is reported.
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

    /** Does a last piece of work if that is possible, and closes. */
    public void close(Work<?> last) {
        lock.lock();
        try {
            if (!closed) {
                try {
                    last.on(connected());
                } catch (SQLException | UserException e) {
                    // What it would have given back comes back by itself when the leases run out.
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
