package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;

import dev.pgkq.rewards.database.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class LedgerInSqliteTest extends LedgerContract {
    @TempDir
    Path folder;

    @Override
    Database database() {
        return LedgerTables.in(folder.resolve("ledger.db"));
    }

    private static String ask(Connection connection, String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void everyCommitIsForcedToTheDisk() throws SQLException {
        open();
        for (int i = 0; i < 2; i++) {
            try (Connection connection =
                    i == 0 ? database().connectFirst() : database().connect()) {
                assertThat(ask(connection, "PRAGMA journal_mode")).isEqualTo("wal");
                assertThat(ask(connection, "PRAGMA synchronous")).isEqualTo("2");
                assertThat(Integer.parseInt(ask(connection, "PRAGMA busy_timeout")))
                        .isGreaterThanOrEqualTo(10_000);
            }
        }
    }

    @Test
    void aRunDirectoryStandsForTheFileInIt() {
        try (Ledger ledger = Ledger.open(folder.toString())) {
            assertThat(ledger.location()).isEqualTo(folder.resolve("ledger.db").toString());
        }
        assertThat(folder.resolve("ledger.db")).isRegularFile();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "these names are not allowed there")
    void theFileMayHaveAnyNameAndItsFolderIsMade() {
        Path file = folder.resolve("a b/what? #1 100% [ü]/my ledger?.db");
        for (String location : List.of(file.toString(), "jdbc:sqlite:" + file)) {
            try (Ledger ledger = Ledger.open(location)) {
                if (ledger.claim(id(1)) instanceof Claim.Mine) {
                    ledger.attempted(key(1));
                    ledger.done(key(1), answer(1));
                }
                assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
            }
        }
        assertThat(file).isRegularFile();
    }

    @Test
    void nothingButTheFileIsLeftWhenItIsClosed() throws IOException {
        try (Ledger ledger = open()) {
            ledger.claim(id(1));
            LedgerContract.entries(ledger);
        }
        Ledger.read(folder.toString(), entry -> {});
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(folder.resolve("ledger.db"));
        }
    }

    @Test
    void itIsReadWhileItIsWritten() {
        Ledger ledger = open();
        for (int number = 0; number < 5; number++) {
            ledger.claim(id(number));
        }
        List<LedgerEntry> seen = new ArrayList<>();
        Ledger.read(folder.toString(), entry -> {
            if (seen.isEmpty()) {
                ledger.claim(id(100));
            }
            seen.add(entry);
        });
        assertThat(seen).hasSize(5);
        assertThat(LedgerContract.entries(ledger)).hasSize(6);
    }
}
