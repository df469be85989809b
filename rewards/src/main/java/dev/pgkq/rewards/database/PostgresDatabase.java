package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * A database on a PostgreSQL server, shared by runs and machines.
 *
 * @param url JDBC address {@code jdbc:postgresql://…}
 * @param kind what the database is used for, in messages
 */
public record PostgresDatabase(String url, String kind) implements Database {
    /** Start of all addresses. */
    public static final String PREFIX = "jdbc:postgresql:";

    /** Errors are thrown as exceptions; the driver's warnings would only repeat them. */
    private static final Logger LOGGER = Logger.getLogger("org.postgresql");

    static {
        LOGGER.setLevel(Level.SEVERE);
    }

    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&\\s]*");
    private static final String CONNECT_SECONDS = "10";
    /** Longer than any query should take; after that the connection counts as dead. */
    private static final String ANSWER_SECONDS = "60";

    private static final String TOO_MANY_CONNECTIONS = "53300";
    private static final String DISK_FULL = "53100";
    /** An arbitrary number that no other program should use on the same database. */
    private static final long SCHEMA_LOCK = 0x70676b71_6c656467L;

    @Override
    public String name() {
        return masked(url);
    }

    /** Replaces passwords by asterisks. */
    public static String masked(String text) {
        return PASSWORD.matcher(text).replaceAll("$1***");
    }

    @Override
    public Connection connectFirst() throws SQLException {
        return connect();
    }

    @Override
    public Connection connect() throws SQLException {
        Connection connection = open();
        try (Statement statement = connection.createStatement()) {
            // A server may be configured to confirm commits before they are on disk. Stricter settings are left
            // unchanged.
            statement.execute("SELECT set_config('synchronous_commit', 'on', false)"
                    + " WHERE current_setting('synchronous_commit') = 'off'");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection connectToRead(Duration limit) throws SQLException {
        Connection connection = open();
        try (Statement statement = connection.createStatement()) {
            statement.execute("SET statement_timeout = " + Math.max(1, limit.toMillis()));
            connection.setReadOnly(true);
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    private Connection open() throws SQLException {
        Properties properties = new Properties();
        PGProperty.APPLICATION_NAME.set(properties, "pgkq");
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, ANSWER_SECONDS);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        // The driver's own error message contains the password.
        if (Driver.parseURL(url, null) == null) {
            throw new UserException(
                    "the address " + name() + " is invalid; write jdbc:postgresql://HOST:PORT/DATABASE?user=NAME");
        }
        return Objects.requireNonNull(new Driver().connect(url, properties), "the driver accepts this address");
    }

    @Override
    public String now() {
        return "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";
    }

    @Override
    public String bytesType() {
        return "BYTEA";
    }

    @Override
    public String countTablesQuery() {
        return "SELECT count(*) FROM pg_class WHERE oid = to_regclass(?) AND relkind IN ('r', 'p')";
    }

    @Override
    public void lockSchema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
        }
    }

    /** The connection broke, the server is restarting or has too many connections, or two transactions conflicted. */
    @Override
    public boolean isTransient(SQLException e) {
        String state = state(e);
        return state.startsWith("08")
                || state.startsWith("57P0")
                || state.startsWith("40")
                || state.equals(TOO_MANY_CONNECTIONS);
    }

    private static String state(SQLException e) {
        return e.getSQLState() == null ? "" : e.getSQLState();
    }

    @Override
    public UserException error(String doing, SQLException e) {
        String message = "cannot " + doing + " the " + kind + " " + name() + ": "
                + masked(String.valueOf(e.getMessage())) + remedy(state(e));
        return state(e).equals(DISK_FULL) ? new DatabaseFull(message, e) : new UserException(message, e);
    }

    private static String remedy(String state) {
        if (state.startsWith("08") || state.startsWith("57P0")) {
            return " Check the address and that the server is running, then resume; its contents are safe";
        }
        if (state.startsWith("28")) {
            return ". Specify user=NAME and password=… in the address, or the password in ~/.pgpass";
        }
        return switch (state) {
            case "3D000" -> ". Create the database with createdb, or specify another one";
            case "42501" -> ". Its owner must allow this user to create, read and write tables";
            case "25006" -> ". It is a read-only copy; specify the address of the primary server";
            case "57014" -> ". Reading it takes too long; its contents are unchanged";
            case DISK_FULL -> ". The server's disk is full. Free some space, then resume; its contents are safe";
            default -> ". Its contents are unchanged";
        };
    }
}
