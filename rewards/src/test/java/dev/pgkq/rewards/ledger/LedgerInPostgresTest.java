package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.PostgresDatabase;
import dev.pgkq.text.UserException;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Runs on a real server, which is a test dependency. PostgreSQL refuses to run as root; in that case the library that starts it uses
 * a user namespace.
 */
class LedgerInPostgresTest extends LedgerContract {
    private static final AtomicInteger SCHEMAS = new AtomicInteger();
    private static EmbeddedPostgres server;

    private String schema;

    @BeforeAll
    static void startServer() throws IOException {
        server = EmbeddedPostgres.start();
    }

    @AfterAll
    static void stopServer() throws IOException {
        server.close();
    }

    /** Gives every test its own schema. */
    @BeforeEach
    void makeSchema() throws SQLException {
        schema = "test" + SCHEMAS.incrementAndGet();
        asAdministrator("CREATE SCHEMA " + schema);
    }

    private static void asAdministrator(String command) throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private String url() {
        return server.getJdbcUrl("postgres", "postgres") + "&currentSchema=" + schema;
    }

    @Override
    Database database() {
        return new PostgresDatabase(url(), LedgerTables.KIND);
    }

    private void breakAllConnections() throws SQLException {
        asAdministrator("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'pgkq'");
    }

    @Test
    void everyCommitIsForcedToTheDiskWhateverTheServerUsuallyDoes() throws SQLException {
        try (Connection connection = server.getPostgresDatabase().getConnection();
                Connection ours = database().connect()) {
            assertThat(setting(connection)).isEqualTo("off");
            assertThat(setting(ours)).isEqualTo("on");
        }
    }

    private static String setting(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SHOW synchronous_commit")) {
            rows.next();
            return rows.getString(1);
        }
    }

    @Test
    void aBrokenConnectionIsReplacedInTheMiddleOfARun() throws SQLException {
        Ledger ledger = open();
        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
        breakAllConnections();
        assertThat(ledger.attempted(key(1))).isTrue();
        breakAllConnections();
        assertThat(ledger.renew(List.of(key(1)))).isEmpty();
        breakAllConnections();
        assertThat(ledger.done(key(1), answer(1))).isEqualTo(answer(1));
        breakAllConnections();
        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
        assertThat(LedgerContract.entries(ledger)).singleElement().satisfies(entry -> {
            assertThat(entry.attempts()).isEqualTo(1);
            assertThat(entry.inDoubt()).isZero();
        });
    }

    @Test
    void processesThatWantTheSameBuyEachOnce() throws Exception {
        int count = 60;
        List<Process> buyers = new ArrayList<>();
        for (int seed = 0; seed < 2; seed++) {
            buyers.add(LedgerChild.start(LedgerChild.command("buy", url(), count, seed)));
        }
        List<Integer> bought = LedgerChild.numbers(buyers);
        assertThat(bought)
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, count).boxed().toList());
    }

    @Test
    void aServerThatIsNotThereIsNamedWithoutThePassword() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        String url = "jdbc:postgresql://localhost:" + free + "/team?user=me&password=secret&ssl=false";
        assertThatThrownBy(() -> Ledger.open(url, Ledger.DEFAULT_LEASE, Patience.of(Duration.ZERO)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("localhost:" + free + "/team?user=me&password=***&ssl=false")
                .hasMessageContaining("Check the address and that the server is running")
                .hasMessageNotContaining("secret");
    }

    @Test
    void aServerThatStartsLateIsWaitedFor() throws Exception {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        String url = "jdbc:postgresql://localhost:" + free + "/postgres?user=postgres&password=secret";
        List<String> messages = new ArrayList<>();
        List<EmbeddedPostgres> started = new ArrayList<>();
        Patience patience = new Patience(
                Duration.ofMinutes(1),
                message -> {
                    messages.add(message);
                    try {
                        started.add(EmbeddedPostgres.builder().setPort(free).start());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                () -> false);
        try (Ledger ledger = Ledger.open(url, Ledger.DEFAULT_LEASE, patience)) {
            assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
        } finally {
            for (EmbeddedPostgres late : started) {
                late.close();
            }
        }
        assertThat(messages)
                .singleElement()
                .asString()
                .contains("cannot open the ledger", "localhost:" + free, "Trying again for 1m 00s")
                .doesNotContain("secret");
    }

    @Test
    void aServerIsNotWaitedForOnceTheUserStops() throws IOException {
        int free;
        try (ServerSocket socket = new ServerSocket(0)) {
            free = socket.getLocalPort();
        }
        String url = "jdbc:postgresql://localhost:" + free + "/team?user=me";
        Patience stopped = new Patience(Duration.ofHours(1), message -> {}, () -> true);
        assertThatThrownBy(() -> Ledger.open(url, Ledger.DEFAULT_LEASE, stopped))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("that the server is running");
    }

    @Test
    void onlyRealTablesAreRead() throws SQLException {
        open();
        asAdministrator("ALTER TABLE " + schema + ".pgkq_evaluation RENAME TO kept");
        asAdministrator("CREATE VIEW " + schema + ".pgkq_evaluation AS SELECT * FROM " + schema + ".kept");
        assertThatThrownBy(() -> Ledger.read(url(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("is another kind of database, not a ledger: pgkq_evaluation is not a table");
    }

    @Test
    void aDatabaseThatIsNotThereIsNamed() {
        String url = server.getJdbcUrl("postgres", "nobodys");
        assertThatThrownBy(() -> Ledger.open(url))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("database \"nobodys\" does not exist. Create the database with createdb");
    }

    @Test
    void aUserWhoMayNotMakeTablesIsToldSo() throws SQLException {
        asAdministrator("CREATE ROLE guest LOGIN");
        asAdministrator("GRANT USAGE ON SCHEMA " + schema + " TO guest");
        String url = server.getJdbcUrl("guest", "postgres") + "&currentSchema=" + schema;
        assertThatThrownBy(() -> Ledger.open(url))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("permission denied")
                .hasMessageContaining("Its owner must allow this user");
    }

    @Test
    void aDatabaseWithoutALedgerIsNotChangedByReading() {
        assertThatThrownBy(() -> Ledger.read(url(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("there is no ledger in");
        assertThat(database().name()).contains(schema);
    }

    @Test
    void addressesThatAreNotUnderstoodAreAnsweredWithOneThatIs() {
        assertThatThrownBy(() -> Ledger.open("postgresql://me:secret@host/team"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("jdbc:postgresql://HOST/DATABASE?user=NAME")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Ledger.open("jdbc:mysql://host/team?password=secret"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("jdbc:postgresql://HOST/DATABASE")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Ledger.open("jdbc:postgresql://host:port/team?password=secret"))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("jdbc:postgresql://HOST:PORT/DATABASE")
                .hasMessageNotContaining("secret");
        assertThatThrownBy(() -> Ledger.open(" ")).isInstanceOf(UserException.class);
    }

    @Test
    void aServerThatIsGoneForLongIsAnErrorAndWhatWasThereStays() throws Exception {
        EmbeddedPostgres other = EmbeddedPostgres.start();
        Database database = new PostgresDatabase(other.getJdbcUrl("postgres", "postgres"), LedgerTables.KIND);
        try (Ledger ledger = SqlLedger.open(
                database,
                LedgerTables.CURRENT,
                Owner.current(),
                Duration.ofHours(1),
                Patience.of(Duration.ofMillis(300)))) {
            ledger.claim(id(1));
            other.close();
            assertThatThrownBy(() -> ledger.attempted(key(1)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContaining("cannot record an attempt in the ledger jdbc:postgresql://localhost")
                    .hasMessageContaining("that the server is running, then resume");
        }
    }
}
