package dev.pgkq.app.ledger;

import dev.pgkq.app.database.Database;
import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Where a ledger is, as people give it. */
final class LedgerLocation {
    private static final String SQLITE = "jdbc:sqlite:";

    private LedgerLocation() {}

    /** A file, a run directory, or {@code jdbc:postgresql://…}. */
    static Database parse(String given) {
        if (given.startsWith(PostgresDatabase.PREFIX)) {
            return new PostgresDatabase(given);
        }
        String path = given.startsWith(SQLITE) ? given.substring(SQLITE.length()) : given;
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
            return Tables.in(Files.isDirectory(file) ? new RunDirectory(file).ledger() : file);
        } catch (InvalidPathException e) {
            throw new UserException("'" + path + "' cannot be the name of a file: " + e.getReason(), e);
        }
    }
}
