package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.PostgresDatabase;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** The location of a ledger: a file, or a PostgreSQL database. */
public sealed interface LedgerLocation {
    /** An SQLite file. */
    record InFile(Path file) implements LedgerLocation {
        @Override
        public String shown() {
            return file.toString();
        }
    }

    /**
     * LedgerA PostgreSQL database.
     *
     * @param url the JDBC address, which may contain a password
     */
    record OnServer(String url) implements LedgerLocation {
        private static final Pattern USER = Pattern.compile("//[^/]*@");

        /** Without parameters: they may contain credentials, and differ between users who share a ledger. */
        @Override
        public String shown() {
            int settings = url.indexOf('?');
            return USER.matcher(settings < 0 ? url : url.substring(0, settings)).replaceFirst("//");
        }

        @Override
        public String toString() {
            return shown();
        }
    }

    /** The location without secrets: a path, or the address of a database without user and password. */
    String shown();

    /**
     * Parses a location. Nothing is opened.
     *
     * @param given a file, a run directory, or {@code jdbc:postgresql://…}
     * @throws UserException if it is none of these
     */
    static LedgerLocation parse(String given) {
        if (given.startsWith(PostgresDatabase.PREFIX)) {
            return new OnServer(given);
        }
        String sqlite = "jdbc:sqlite:";
        String path = given.startsWith(sqlite) ? given.substring(sqlite.length()) : given;
        if (path.isBlank()) {
            throw new UserException(
                    "the location of the ledger is empty; specify a file, a run directory or jdbc:postgresql://HOST/DATABASE");
        }
        if (path.startsWith("jdbc:")) {
            throw new UserException("a ledger is a file or a PostgreSQL database, but " + PostgresDatabase.masked(path)
                    + " is neither; specify a file or jdbc:postgresql://HOST/DATABASE");
        }
        if (path.matches("postgres(ql)?://.*")) {
            throw new UserException(
                    "the address of a PostgreSQL ledger must start with jdbc: as in jdbc:postgresql://HOST/DATABASE?user=NAME");
        }
        try {
            Path file = Path.of(path);
            return new InFile(Files.isDirectory(file) ? file.resolve(Ledger.FILE) : file);
        } catch (InvalidPathException e) {
            throw new UserException("'" + path + "' is not a valid file name: " + e.getReason(), e);
        }
    }
}
