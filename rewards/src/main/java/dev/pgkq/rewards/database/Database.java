package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;

/** A kind of database: all that differs between them. The rest is SQL that every kind understands. */
public interface Database {
    /** Where it is, in words, without passwords. */
    String name();

    /** What it is for people: a ledger. */
    String kind();

    /** Connects for the first time: makes what is missing, and checks that it is sound and may hold what it should. */
    Connection first() throws SQLException;

    /** Connects again, to what must be there. What is committed on this connection is on the disk. */
    Connection connect() throws SQLException;

    /** Connects to what must be there, and changes nothing. */
    Connection connectToRead() throws SQLException;

    /** An SQL expression: milliseconds since 1970 by the clock that everybody here shares. */
    String now();

    /** The SQL type of bytes. */
    String bytesType();

    /** A query with the name of a table as parameter, which tells how many there are. */
    String tablesNamed();

    /** Within a transaction: keeps others from changing the schema until it ends. */
    void lockSchema(Connection connection) throws SQLException;

    /** Whether trying again on another connection may help. */
    boolean isPassing(SQLException e);

    /**
     * What went wrong, for people.
     *
     * @param doing what was tried, for instance "record an answer in"
     */
    UserException trouble(String doing, SQLException e);
}
