package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** A kind of database: everything that differs between SQLite and PostgreSQL. All other SQL is common to both. */
public interface Database {
    /** The location for messages, without passwords. */
    String name();

    /** What the database is used for, in messages: "ledger", for instance. */
    String kind();

    /** Connects for the first time: creates what is missing, and checks that the database is intact and of the right kind. */
    Connection connectFirst() throws SQLException;

    /** Connects to an existing database. Commits on this connection are on disk when they return. */
    Connection connect() throws SQLException;

    /**
     * Connects to an existing database for reading only. It may come from anybody, so a query that takes long is cancelled.
     *
     * @param limit the longest time that reading may take
     */
    Connection connectToRead(Duration limit) throws SQLException;

    /**
     * Watches from now on whether the database stays the one that was opened.
     *
     * @param connection the first connection to it, with all tables
     */
    default DatabaseGuard guard(Connection connection) throws SQLException {
        return DatabaseGuard.NONE;
    }

    /** An SQL expression for the time in milliseconds since 1970, by a clock shared by all users of the database. */
    String now();

    /** The SQL type of byte arrays. */
    String bytesType();

    /** A query that counts the tables of the name given as its parameter. Views and the like do not count. */
    String countTablesQuery();

    /** Keeps others from changing the schema until the current transaction ends. */
    void lockSchema(Connection connection) throws SQLException;

    /** Whether another attempt on a new connection may succeed. */
    boolean isTransient(SQLException e);

    /**
     * An error message that names the cause and a remedy.
     *
     * @param doing what was attempted, for instance "record an answer in"
     */
    UserException error(String doing, SQLException e);
}
