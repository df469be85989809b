package dev.pgkq.rewards.database;

import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.Properties;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Pattern;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/**
 * Tables on a PostgreSQL server, shared between runs and machines.
 *
 * @param url {@code jdbc:postgresql://…}, as the driver understands it
 * @param kind what it is for people: a ledger
 */
public record PostgresDatabase(String url, String kind) implements Database {
    public static final String PREFIX = "jdbc:postgresql:";

    /** What matters comes as an exception; warnings beside it would only be noise. */
    private static final Logger LOGGER = Logger.getLogger("org.postgresql");

    static {
        LOGGER.setLevel(Level.SEVERE);
    }

    private static final Pattern PASSWORD = Pattern.compile("(?i)(password=)[^&\\s]*");
    private static final String CONNECT_SECONDS = "10";
    /** Longer than any answer should take: beyond it the connection counts as dead. */
    private static final String ANSWER_SECONDS = "60";

    private static final String TOO_MANY_CONNECTIONS = "53300";
    /** Any number will do that no other program on the same database takes. */
    private static final long SCHEMA_LOCK = 0x70676b71_6c656467L;

    @Override
    public String name() {
        return masked(url);
    }

    /** The text without passwords. */
    public static String masked(String text) {
        return PASSWORD.matcher(text).replaceAll("$1***");
    }

    @Override
    public Connection first() throws SQLException {
        return connect();
    }

    @Override
    public Connection connect() throws SQLException {
        Connection connection = open();
        try (Statement statement = connection.createStatement()) {
            // A server may be set up to promise a commit before it is on the disk. Stricter settings stay as they are.
            statement.execute("SELECT set_config('synchronous_commit', 'on', false)"
                    + " WHERE current_setting('synchronous_commit') = 'off'");
            return connection;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    @Override
    public Connection connectToRead() throws SQLException {
        Connection connection = open();
        connection.setReadOnly(true);
        return connection;
    }

    private Connection open() throws SQLException {
        Properties properties = new Properties();
        PGProperty.APPLICATION_NAME.set(properties, "pgkq");
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_SECONDS);
        PGProperty.SOCKET_TIMEOUT.set(properties, ANSWER_SECONDS);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        // The driver's own error has the password in it.
        if (Driver.parseURL(url, null) == null) {
            throw new UserException("the address " + name()
                    + " is not understood; write jdbc:postgresql://HOST:PORT/DATABASE?user=NAME");
        }
        return Objects.requireNonNull(new Driver().connect(url, properties), "an address that the driver understands");
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
    public String tablesNamed() {
        return "SELECT count(to_regclass(?))";
    }

    @Override
    public void lockSchema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT pg_advisory_xact_lock(" + SCHEMA_LOCK + ")");
        }
    }

    /** The connection broke, the server restarts or is crowded, or two transactions were in each other's way. */
    @Override
    public boolean isPassing(SQLException e) {
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
    public UserException trouble(String doing, SQLException e) {
        return new UserException(
                "cannot " + doing + " the " + kind + " " + name() + ": " + masked(String.valueOf(e.getMessage()))
                        + remedy(state(e)),
                e);
    }

    private static String remedy(String state) {
        if (state.startsWith("08") || state.startsWith("57P0")) {
            return " Check the address and that the server runs, then resume; what it holds is safe";
        }
        if (state.startsWith("28")) {
            return ". Give user=NAME and password=… in the address, or the password in ~/.pgpass";
        }
        return switch (state) {
            case "3D000" -> ". Create the database with createdb, or give another";
            case "42501" -> ". Its owner must allow this user to make tables in it, and to read and write them";
            case "25006" -> ". It is a copy that may only be read; give the address of the main server";
            case "53100" -> ". The server's disk is full: make room, then resume; what it holds is safe";
            default -> ". What it holds is as it was";
        };
    }
}
