package dev.pgkq.rewards.ledger;

import dev.pgkq.rewards.database.PostgresDatabase;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Where a ledger is, as people give it. */
public sealed interface LedgerLocation {
    /** A file of its own. */
    record InFile(Path file) implements LedgerLocation {
        @Override
        public String shown() {
            return file.toString();
        }
    }

    /**
     * Tables of a database server.
     *
     * @param url as given, perhaps with a password
     */
    record OnServer(String url) implements LedgerLocation {
        private static final Pattern USER = Pattern.compile("//[^/]*@");

        /** Without settings, which may hold credentials, and which differ between people who share a ledger. */
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

    /** For everybody to see: a path, or the address of a database without user and password. */
    String shown();

    /**
     * Nothing is opened.
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
                    "no ledger is named; give a file, a run directory or jdbc:postgresql://HOST/DATABASE");
        }
        if (path.startsWith("jdbc:")) {
            throw new UserException("a ledger is a file or a PostgreSQL database, and " + PostgresDatabase.masked(path)
                    + " is neither; give a file or jdbc:postgresql://HOST/DATABASE");
        }
        if (path.matches("postgres(ql)?://.*")) {
            throw new UserException(
                    "the address of a PostgreSQL ledger is jdbc:postgresql://HOST/DATABASE?user=NAME, with jdbc: in front");
        }
        try {
            Path file = Path.of(path);
            return new InFile(Files.isDirectory(file) ? file.resolve(Ledger.FILE) : file);
        } catch (InvalidPathException e) {
            throw new UserException("'" + path + "' cannot be the name of a file: " + e.getReason(), e);
        }
    }
}
