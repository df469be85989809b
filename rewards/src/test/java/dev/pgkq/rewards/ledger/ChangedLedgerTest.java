package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.database.DatabaseChanged;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The file of a ledger is changed by others while the ledger is open. SQLite itself notices none of this. */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "files in use cannot be deleted there")
class ChangedLedgerTest {
    private static final int RECORDED = 30;

    @TempDir
    private Path folder = Path.of("");

    private Path file() {
        return folder.resolve("ledger.db");
    }

    /** Runs a shell script in the folder, in a process of its own: closing a file drops the locks of the process. */
    private void shell(String script) throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-ec", script)
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(process.waitFor()).as(script).isZero();
    }

    private static void record(Ledger ledger, int first, int end) {
        for (int number = first; number < end; number++) {
            ledger.claim(id(number));
            ledger.attempted(key(number));
            ledger.done(key(number), answer(number));
        }
    }

    private static List<LedgerEntry> entries(Path file) {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(file.toString(), entries::add);
        return entries;
    }

    private void makeAnother() {
        try (Ledger other = Ledger.open(folder.resolve("other.db").toString())) {
            record(other, 100, 103);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "rm ledger.db                | was deleted",
                "rm ledger.db*               | was deleted",
                "mv other.db ledger.db       | was replaced by another file",
                "cp other.db ledger.db       | was overwritten by another database",
                "truncate -s 0 ledger.db     | was truncated",
                "truncate -s 4096 ledger.db  | was truncated",
                "echo no database >ledger.db | was overwritten",
                "rm ledger.db-wal            | lost its log"
            })
    void aChangedFileIsNoticedAndItsContentsAreSaved(String change, String reported) throws Exception {
        makeAnother();
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
            ledger.claim(id(RECORDED));
            ledger.attempted(key(RECORDED));

            shell(change);

            Path copy = folder.resolve("ledger.rescued.db");
            assertThatThrownBy(() -> ledger.done(key(RECORDED), answer(RECORDED)))
                    .isInstanceOf(DatabaseChanged.class)
                    .hasMessageContainingAll(
                            "the ledger " + file() + " " + reported,
                            " while it was in use. Everything that was recorded in it is saved in " + copy
                                    + ": move that file to " + file() + ", then resume");
            assertThatThrownBy(() -> ledger.claim(id(0))).isInstanceOf(DatabaseChanged.class);
            assertThat(entries(copy)).hasSize(RECORDED + 1);
        }

        shell("mv ledger.rescued.db ledger.db");
        try (Ledger ledger = Ledger.open(file().toString())) {
            for (int number = 0; number < RECORDED; number++) {
                assertThat(ledger.claim(id(number))).isEqualTo(new Claim.Done(answer(number)));
            }
            record(ledger, RECORDED, RECORDED + 1);
        }
    }

    /** Its pages are neither in the log nor in memory. */
    @Test
    void whatATruncatedFileHadBeforeIsLostAndThatIsSaid() throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, 10 * RECORDED);
        }
        try (Ledger ledger = Ledger.open(file().toString())) {
            shell("truncate -s 8192 ledger.db");

            assertThatThrownBy(() -> record(ledger, 1000, 1001))
                    .isInstanceOf(DatabaseChanged.class)
                    .hasMessageContainingAll("was truncated", "could not be saved (", "Restore a backup to " + file());
        }
        assertThat(folder.resolve("ledger.rescued.db")).doesNotExist();
    }

    /** A backup is written over the file: it has the same inode, is the same database, and is sound. */
    @Test
    void anOlderCopyOfTheLedgerIsNoticedAndWhatIsRememberedIsSaved() throws Exception {
        recordAndCopy(RECORDED);
        try (Ledger ledger = Ledger.open(file().toString())) {
            shell("cp older.db ledger.db");

            assertThatThrownBy(() -> record(ledger, 1000, 1001))
                    .isInstanceOf(DatabaseChanged.class)
                    .hasMessageContainingAll(
                            "was overwritten by an older copy of it while it was in use",
                            "saved in " + folder.resolve("ledger.rescued.db"));
        }
        assertThat(entries(folder.resolve("ledger.rescued.db"))).hasSize(RECORDED + 1);
        assertThat(entries(file())).hasSize(RECORDED);
    }

    /** The file did not change while answers went to its log, so that it says nothing about how much was recorded. */
    @Test
    void anOlderCopyThatWasMadeMeanwhileIsNoticed() throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
            execute("VACUUM INTO '" + folder.resolve("older.db") + "'");
            record(ledger, RECORDED, RECORDED + 5);
            execute("PRAGMA wal_checkpoint(TRUNCATE)");
            shell("cp older.db ledger.db");

            assertThatThrownBy(() -> record(ledger, 1000, 1001))
                    .isInstanceOf(DatabaseChanged.class)
                    .hasMessageContaining("was overwritten by an older copy of it while it was in use");
        }
        assertThat(entries(file())).hasSize(RECORDED);
    }

    private void execute(String sql) throws Exception {
        try (Connection connection = LedgerTables.in(file()).connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void whatAnOlderCopyDoesNotHaveIsLostIfItIsNotRememberedAndThatIsSaid() throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
        }
        multiply(200);
        recordAndCopy(RECORDED);
        try (Ledger ledger = Ledger.open(file().toString())) {
            shell("cp older.db ledger.db");

            assertThatThrownBy(ledger::requireUnchanged)
                    .isInstanceOf(DatabaseChanged.class)
                    .hasMessageContainingAll(
                            "was overwritten by an older copy of it",
                            "could not be saved (",
                            "Restore a backup to " + file());
        }
        assertThat(entries(file())).hasSize(201 * RECORDED);
    }

    /** Adds all entries under other keys so many times, until they are more than SQLite keeps in memory. */
    private void multiply(int times) throws Exception {
        try (Connection connection = LedgerTables.in(file()).connect();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("CREATE TEMP TABLE more AS SELECT * FROM pgkq_evaluation");
            for (int i = 0; i < times; i++) {
                statement.execute("UPDATE more SET key = lower(hex(randomblob(length(key) / 2)))");
                statement.execute("INSERT INTO pgkq_evaluation SELECT * FROM more");
            }
            connection.commit();
        }
    }

    /** Leaves a ledger with one more answer than its copy. */
    private void recordAndCopy(int answers) throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, answers);
        }
        shell("cp ledger.db older.db");
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, answers, answers + 1);
        }
    }

    @Test
    void writingTheSameContentsAgainIsNoChange() throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
        }
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, RECORDED, RECORDED + 1);
            shell("cp ledger.db copy.db; cp copy.db ledger.db");
            record(ledger, RECORDED + 1, RECORDED + 2);
        }
        assertThat(entries(file())).hasSize(RECORDED + 2);
    }

    @Test
    void aReplacementIsLeftAsItIs() throws Exception {
        makeAnother();
        byte[] other = Files.readAllBytes(folder.resolve("other.db"));
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
            shell("cp other.db ledger.db");
            assertThatThrownBy(ledger::requireUnchanged).isInstanceOf(DatabaseChanged.class);
        }
        assertThat(Files.readAllBytes(file())).isEqualTo(other);
        assertThat(folder.resolve("ledger.db-wal")).doesNotExist();
    }

    @Test
    void closingReportsAChangeThatNobodyHasSeen() throws Exception {
        Ledger ledger = Ledger.open(file().toString());
        record(ledger, 0, RECORDED);
        shell("rm ledger.db");
        assertThatThrownBy(ledger::close)
                .isInstanceOf(DatabaseChanged.class)
                .hasMessageContaining("was deleted while it was in use");
        assertThat(entries(folder.resolve("ledger.rescued.db"))).hasSize(RECORDED);
    }

    /** Other connections copy the log into the file, also into a smaller one. */
    @ParameterizedTest
    @CsvSource({"PRAGMA wal_checkpoint(TRUNCATE)", "VACUUM"})
    void whatSqliteItselfDoesToTheFileIsNoChange(String statement) throws Exception {
        try (Ledger ledger = Ledger.open(file().toString())) {
            record(ledger, 0, RECORDED);
            execute(statement);
            record(ledger, RECORDED, RECORDED + 5);
        }
        assertThat(entries(file())).hasSize(RECORDED + 5);
    }
}
