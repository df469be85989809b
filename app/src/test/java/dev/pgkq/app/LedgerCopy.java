package dev.pgkq.app;

import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/** What a killed process has left in its ledger. */
public final class LedgerCopy {
    private static final List<String> FILES = List.of("ledger.db", "ledger.db-wal");

    private LedgerCopy() {}

    /**
     * Reads a copy: reading the ledger itself would repair it before the next process does.
     *
     * @param directory has the ledger
     * @param copy a folder for the copy
     */
    public static List<LedgerEntry> entries(Path directory, Path copy) throws IOException {
        Files.createDirectories(copy);
        for (String name : FILES) {
            Files.deleteIfExists(copy.resolve(name));
            if (Files.exists(directory.resolve(name))) {
                Files.copy(directory.resolve(name), copy.resolve(name), StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return entries(copy);
    }

    /** All entries of a ledger that nobody needs any more. */
    public static List<LedgerEntry> entries(Path directory) {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(directory.resolve("ledger.db").toString(), entries::add);
        return entries;
    }
}
