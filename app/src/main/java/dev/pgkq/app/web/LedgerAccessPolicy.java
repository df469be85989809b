package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Decides which ledgers may be opened for viewers. A run's settings can name any file and any server, and the run may come
 * from an attacker who wants exactly that to be opened. So the settings alone grant nothing: a file is opened if it is in the
 * served folder after all links are resolved, and any other ledger only if it was named when the server was started.
 */
final class LedgerAccessPolicy {
    private final ServedFolder folder;
    private final List<LedgerLocation> named;

    /**
     * @param named ledgers outside the folder that may be opened
     * @throws UserException if one of them is not a valid ledger location
     */
    LedgerAccessPolicy(ServedFolder folder, List<String> named) {
        this.folder = folder;
        this.named = named.stream().map(LedgerLocation::parse).toList();
    }

    /** The decision about a run's ledger. */
    sealed interface Decision {
        /** The ledger may be opened, at this location. */
        record Allowed(LedgerLocation location) implements Decision {}

        /**
         * The ledger may not be opened.
         *
         * @param shown its location, without user and password
         */
        record Denied(String shown) implements Decision {}

        /** There is no ledger. */
        record Missing() implements Decision {}
    }

    /**
     * Decides whether a run's ledger may be opened.
     *
     * @param setting location in the run's settings; empty for the run directory
     */
    Decision check(RunDirectory directory, String setting) {
        if (setting.isEmpty()) {
            return check(new LedgerLocation.InFile(directory.ledger()));
        }
        try {
            return check(LedgerLocation.parse(setting));
        } catch (UserException e) {
            return new Decision.Missing();
        }
    }

    /** The id of a run, by which a ledger knows it; empty if its file is outside the folder, or cannot be read. */
    Optional<String> id(RunDirectory directory) {
        try {
            boolean readable = folder.isMissing(directory.idFile())
                    || folder.served(directory.idFile()).isPresent();
            return readable ? Optional.of(directory.id()) : Optional.empty();
        } catch (UserException e) {
            return Optional.empty();
        }
    }

    private Decision check(LedgerLocation requested) {
        return switch (requested) {
            case LedgerLocation.InFile(Path file) -> checkFile(file);
            case LedgerLocation.OnServer server -> checkServer(server);
        };
    }

    private Decision checkFile(Path file) {
        Optional<Path> inside = folder.servedDatabase(file);
        if (inside.isPresent()) {
            return new Decision.Allowed(new LedgerLocation.InFile(inside.get()));
        }
        Optional<Path> real = real(file);
        for (LedgerLocation location : named) {
            if (location instanceof LedgerLocation.InFile(Path other) && real.isPresent() && real.equals(real(other))) {
                return new Decision.Allowed(new LedgerLocation.InFile(real.get()));
            }
        }
        // do not reveal whether a file outside the folder exists
        return folder.isMissing(file)
                ? new Decision.Missing()
                : new Decision.Denied(folder.withoutRoot(file.toString()));
    }

    /** Uses the address given to the server, with its user and options. Options from a run could make the driver do anything. */
    private Decision checkServer(LedgerLocation.OnServer requested) {
        return named.stream()
                .filter(LedgerLocation.OnServer.class::isInstance)
                .filter(location -> location.shown().equals(requested.shown()))
                .findFirst()
                .<Decision>map(Decision.Allowed::new)
                .orElseGet(() -> new Decision.Denied(requested.shown()));
    }

    private static Optional<Path> real(Path file) {
        try {
            return Optional.of(file.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
