package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.SmallDisk;
import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.DatabaseChanged;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.Session;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of a ledger in a file: the message names the cause, and the contents stay unchanged. */
class LedgerErrorsTest {
    @TempDir
    Path folder;

    private Path file() {
        return folder.resolve("ledger.db");
    }

    private void record(int count) {
        try (Ledger ledger = Ledger.open(file().toString())) {
            for (int number = 0; number < count; number++) {
                LedgerChild.claimed(ledger, number, () -> {});
            }
        }
    }

    private void refused(String... words) throws IOException {
        byte[] before = Files.readAllBytes(file());
        assertThatThrownBy(() -> Ledger.open(file().toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContainingAll(words)
                .hasMessageContaining(file().toString());
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(file());
        }
    }

    @Test
    void aFileThatIsNoDatabaseIsRefusedAndLeftAlone() throws IOException {
        Files.writeString(file(), "Dear diary,\n".repeat(1000));
        refused("it is not a database", "was left unchanged", "Specify another file, or move this one away");
        assertThatThrownBy(() -> Ledger.read(file().toString(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("it is not a database");
    }

    @Test
    void aDatabaseOfSomethingElseIsRefusedAndLeftAlone() throws IOException, SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE recipes (name TEXT)");
        }
        refused("is another kind of database");
    }

    /** Somebody else's ledger might keep whoever reads it busy forever. */
    @Test
    void aLedgerWithAViewInPlaceOfATableIsRefused() throws IOException, SQLException {
        Ledger.open(file().toString()).close();
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            statement.execute("ALTER TABLE pgkq_evaluation RENAME TO other");
            statement.execute(
                    "CREATE VIEW pgkq_evaluation AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
                            + " SELECT other.* FROM n LEFT JOIN other");
        }
        assertThatThrownBy(() -> Ledger.read(file().toString(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is another kind of database");
    }

    @Test
    void aFolderThatCannotBeMadeIsNamed() throws IOException {
        Files.writeString(folder.resolve("file"), "");
        Path below = folder.resolve("file/ledger.db");
        assertThatThrownBy(() -> Ledger.open(below.toString()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("cannot write " + below);
    }

    @Test
    void aMissingLedgerIsNotMadeByReading() {
        assertThatThrownBy(() -> Ledger.read(file().toString(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no ledger " + file());
        assertThat(file()).doesNotExist();
    }

    @Test
    void aLedgerThatIsRemovedMeanwhileIsNotBegunAnew() throws IOException {
        Path file = file();
        Session session = Session.open(LedgerTables.in(file), LedgerTables.CURRENT, Patience.of(Duration.ZERO));
        assertThatThrownBy(() -> session.use("test", connection -> {
                    throw new SQLException("drops the connection");
                }))
                .isInstanceOf(UserException.class);
        Files.delete(file);
        assertThatThrownBy(() -> session.use("use", connection -> 1))
                .isInstanceOf(DatabaseChanged.class)
                .hasMessageContainingAll("was deleted", "could not be saved (the connection to it was lost)");
        assertThat(file).doesNotExist();
    }

    @Test
    void damagedPagesAreNoticedBeforeAnythingIsWritten() throws IOException {
        record(300);
        byte[] bytes = Files.readAllBytes(file());
        int middle = bytes.length / 2 / 4096 * 4096;
        Arrays.fill(bytes, middle, middle + 4096, (byte) 0x5a);
        Files.write(file(), bytes);
        refused("is damaged", "was left unchanged", "Restore a backup", ".recover");
    }

    @Test
    void damageWithinAnAnswerIsNoticedWhenItIsWanted() throws IOException {
        record(50);
        byte[] bytes = Files.readAllBytes(file());
        byte[] rewards = StoredAnswer.bytes(answer(20).values());
        // The file may contain copies that are no longer in use.
        for (int at = 0; at + rewards.length <= bytes.length; at++) {
            if (Arrays.equals(bytes, at, at + rewards.length, rewards, 0, rewards.length)) {
                bytes[at + 5] ^= 4;
            }
        }
        Files.write(file(), bytes);

        try (Ledger ledger = Ledger.open(file().toString())) {
            assertThatThrownBy(() -> ledger.claim(id(20)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("the answer of evaluation " + key(20))
                    .hasMessageContaining("DELETE FROM");
            for (int number = 0; number < 50; number++) {
                if (number != 20) {
                    assertThat(ledger.claim(id(number))).isEqualTo(new Claim.Done(answer(number)));
                }
            }
        }
    }

    @Test
    void whereSqliteCannotBeUnpackedAnotherFolderIsAskedFor() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(LedgerChild.command("try", file()));
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dorg.sqlite.tmpdir=" + folder.resolve("missing"));
        builder.redirectError(ProcessBuilder.Redirect.DISCARD);
        assertThat(new String(builder.start().getInputStream().readAllBytes(), UTF_8))
                .contains("SQLite cannot be unpacked and run in")
                .contains("-Dorg.sqlite.tmpdir=FOLDER (in PGKQ_JAVA_OPTS");
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file());
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    /** Reading it would never end, or would compute what others want to have computed. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "CREATE VIEW pgkq_evaluation AS WITH RECURSIVE n(key) AS (SELECT 1 UNION ALL SELECT key + 1 FROM n)"
                        + " SELECT *, 1 AS requested, 1 AS lease_until FROM n",
                "CREATE VIRTUAL TABLE pgkq_evaluation USING fts5(key, requested, lease_until)",
                "CREATE TABLE pgkq_evaluation (key TEXT, requested, lease_until, more AS (hex(zeroblob(400000000))))"
            })
    void onlyRealTablesAreRead(String statement) throws SQLException {
        sql(
                "CREATE TABLE pgkq_schema (version BIGINT NOT NULL PRIMARY KEY, since BIGINT NOT NULL)",
                "INSERT INTO pgkq_schema VALUES (2, 1)",
                statement);
        assertThatThrownBy(() -> Ledger.read(file().toString(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is another kind of database, not a ledger: pgkq_evaluation is not a table");
    }

    @Test
    void aViewInPlaceOfTheVersionsIsNotRead() throws SQLException {
        sql("CREATE VIEW pgkq_schema AS WITH RECURSIVE n(version) AS (SELECT 1 UNION ALL SELECT version + 1 FROM n)"
                + " SELECT * FROM n");
        assertThatThrownBy(() -> Ledger.read(file().toString(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no ledger in " + file());
    }

    @Test
    void readingEndsAfterALimitedTime() throws SQLException {
        Ledger.open(file().toString()).close();
        Database database = LedgerTables.in(file());
        try (Connection connection = database.connectToRead(Duration.ofMillis(20));
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery(
                            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            e -> assertThat(database.error("read", e))
                                    .hasMessageContaining(
                                            "cannot read the ledger " + file() + ": reading it takes too long"));
        }
        try (Ledger ledger = Ledger.open(file().toString())) {
            ledger.claim(id(1));
            assertThatThrownBy(() -> LedgerReader.read(database, Duration.ZERO, entry -> {}))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("long");
        }
    }

    /** Simulates a full disk: a database that must not grow. */
    private record SmallDatabase(Database database, int pages) implements Database {
        private Connection limited(Connection connection) throws SQLException {
            try (Statement statement = connection.createStatement()) {
                statement.execute("PRAGMA max_page_count = " + pages);
            }
            return connection;
        }

        @Override
        public String name() {
            return database.name();
        }

        @Override
        public String kind() {
            return database.kind();
        }

        @Override
        public Connection connectFirst() throws SQLException {
            return limited(database.connectFirst());
        }

        @Override
        public Connection connect() throws SQLException {
            return limited(database.connect());
        }

        @Override
        public Connection connectToRead(Duration limit) throws SQLException {
            return database.connectToRead(limit);
        }

        @Override
        public String now() {
            return database.now();
        }

        @Override
        public String bytesType() {
            return database.bytesType();
        }

        @Override
        public String countTablesQuery() {
            return database.countTablesQuery();
        }

        @Override
        public void lockSchema(Connection connection) throws SQLException {
            database.lockSchema(connection);
        }

        @Override
        public boolean isTransient(SQLException e) {
            return database.isTransient(e);
        }

        @Override
        public UserException error(String doing, SQLException e) {
            return database.error(doing, e);
        }
    }

    @Test
    void aLedgerThatCannotGrowSaysSoAndKeepsWhatItHas() {
        List<Integer> recorded = new ArrayList<>();
        try (Ledger ledger = SqlLedger.open(
                new SmallDatabase(LedgerTables.in(file()), 20), Ledger.DEFAULT_LEASE, Patience.DEFAULT)) {
            assertThatThrownBy(() -> {
                        while (true) {
                            LedgerChild.claimed(ledger, recorded.size(), () -> {});
                            recorded.add(recorded.size());
                        }
                    })
                    .isInstanceOf(UserException.class)
                    .hasMessageContainingAll(file().toString(), "the disk is full", "free some space, then resume");
            assertThat(recorded).hasSizeGreaterThan(10);
            assertThat(ledger.claim(id(3))).isEqualTo(new Claim.Done(answer(3)));
        }
        try (Ledger ledger = Ledger.open(file().toString())) {
            recorded.forEach(number -> assertThat(ledger.claim(id(number))).isEqualTo(new Claim.Done(answer(number))));
            assertThat(ledger.claim(id(recorded.size()))).isNotInstanceOf(Claim.Done.class);
        }
    }

    private String onASmallDisk(String script) throws IOException, InterruptedException {
        return new SmallDisk(folder.resolve("disk"), 1).run(LedgerChild.command(), script);
    }

    @Test
    void aFullDiskIsSaidAndLosesNothingAndItGoesOnWhenThereIsRoom() throws Exception {
        String out = onASmallDisk("""
                head -c 300000 /dev/zero >$disk/ballast
                $child fill $disk/ledger.db $disk/ballast
                """);
        assertThat(out)
                .containsPattern("cannot .* the ledger .*ledger.db: the disk is full")
                .contains("free some space, then resume")
                .containsPattern("([1-9][0-9]+) recorded, \\1 read")
                .contains("went on")
                .contains("all there");
    }

    @Test
    void aDiskThatMayOnlyBeReadIsSaidAndTheLedgerCanStillBeRead() throws Exception {
        String out = onASmallDisk("""
                $child record $disk/ledger.db 0 5 >$disk/log
                mount -o remount,ro $disk
                $child try $disk/ledger.db
                """);
        assertThat(out)
                .containsPattern("cannot open the ledger .*ledger.db: it is not writable")
                .contains("Make the file and its folder")
                .contains("5 entries");
    }

    @Test
    void aNewLedgerWhereNothingMayBeWrittenIsRefused() throws Exception {
        String out = onASmallDisk("""
                mount -o remount,ro $disk
                $child try $disk/ledger.db
                """);
        assertThat(out)
                .containsPattern("cannot open the ledger .*ledger.db: it does not exist and cannot be created")
                .contains("there is no ledger");
    }
}
