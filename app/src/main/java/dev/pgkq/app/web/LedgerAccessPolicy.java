package dev.pgkq.app.web;

import dev.pgkq.app.run.RunDirectory;
import dev.pgkq.rewards.ledger.LedgerLocation;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Which ledgers are opened for viewers. A run's settings can name any file and any server, and the run may come from somebody
 * who wants just that to be opened. So what they name counts for nothing by itself: a file is opened if it is in the folder
 * that is served once all links are resolved, anything else only if whoever started the server named that very ledger.
 */
final class LedgerAccessPolicy {
    private final ServedFolder folder;
    private final List<LedgerLocation> named;

    /**
     * @param named ledgers outside the folder that may be opened
     * @throws UserException if one of them cannot be a ledger
     */
    LedgerAccessPolicy(ServedFolder folder, List<String> named) {
        this.folder = folder;
        this.named = named.stream().map(LedgerLocation::parse).toList();
    }

    /** What is behind the door. */
    sealed interface Answer {
        /** It may be opened, just so. */
        record Open(LedgerLocation location) implements Answer {}

        /**
         * It may not.
         *
         * @param shown where it is, without user and password
         */
        record Elsewhere(String shown) implements Answer {}

        /** There is none. */
        record None() implements Answer {}
    }

    /**
     * Whether a run's ledger may be opened.
     *
     * @param setting what its settings say; empty for the run directory
     */
    Answer open(RunDirectory directory, String setting) {
        if (setting.isEmpty()) {
            return open(new LedgerLocation.InFile(directory.ledger()));
        }
        try {
            return open(LedgerLocation.parse(setting));
        } catch (UserException e) {
            return new Answer.None();
        }
    }

    private Answer open(LedgerLocation wanted) {
        return switch (wanted) {
            case LedgerLocation.InFile(Path file) -> openFile(file);
            case LedgerLocation.OnServer server -> openServer(server);
        };
    }

    private Answer openFile(Path file) {
        Optional<Path> inside = folder.servedDatabase(file);
        if (inside.isPresent()) {
            return new Answer.Open(new LedgerLocation.InFile(inside.get()));
        }
        Optional<Path> real = real(file);
        for (LedgerLocation location : named) {
            if (location instanceof LedgerLocation.InFile(Path other) && real.isPresent() && real.equals(real(other))) {
                return new Answer.Open(new LedgerLocation.InFile(real.get()));
            }
        }
        // of a file outside not even whether it exists is told
        return folder.lacks(file) ? new Answer.None() : new Answer.Elsewhere(folder.withoutPlace(file.toString()));
    }

    /** The address that was named is used, with its own user and settings: those of a run could make the driver do anything. */
    private Answer openServer(LedgerLocation.OnServer wanted) {
        return named.stream()
                .filter(LedgerLocation.OnServer.class::isInstance)
                .filter(location -> location.shown().equals(wanted.shown()))
                .findFirst()
                .<Answer>map(Answer.Open::new)
                .orElseGet(() -> new Answer.Elsewhere(wanted.shown()));
    }

    private static Optional<Path> real(Path file) {
        try {
            return Optional.of(file.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }
}
