package dev.pgkq.rewards.ledger;

import static dev.pgkq.rewards.ledger.TestEvaluations.answer;
import static dev.pgkq.rewards.ledger.TestEvaluations.id;
import static dev.pgkq.rewards.ledger.TestEvaluations.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.rewards.database.Database;
import dev.pgkq.rewards.database.Patience;
import dev.pgkq.rewards.database.Schema;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.text.UserException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of a ledger, for every kind of database. */
abstract class LedgerContract extends HandOutsContract {
    private static final Duration LEASE = Duration.ofHours(1);

    private final List<Ledger> opened = new ArrayList<>();

    /** The database of this test, without a ledger before it is first opened. */
    abstract Database database();

    @AfterEach
    void closeLedgers() {
        opened.forEach(Ledger::close);
    }

    @Override
    SqlLedger open() {
        return open(Owner.current());
    }

    private SqlLedger open(Owner owner) {
        return open(LedgerTables.CURRENT, owner);
    }

    SqlLedger open(Schema schema, Owner owner) {
        SqlLedger ledger = SqlLedger.open(database(), schema, owner, LEASE, Patience.of(Duration.ofSeconds(30)));
        opened.add(ledger);
        return ledger;
    }

    /** Runs SQL without the ledger. */
    void sql(String command) throws SQLException {
        try (Connection connection = database().connect();
                Statement statement = connection.createStatement()) {
            statement.execute(command);
        }
    }

    private void expire(int number) throws SQLException {
        sql("UPDATE pgkq_evaluation SET lease_until = 1 WHERE key = '" + key(number) + "'");
    }

    static List<LedgerEntry> entries(Ledger ledger) {
        List<LedgerEntry> entries = new ArrayList<>();
        ledger.read(entries::add);
        return entries;
    }

    private static LedgerEntry only(Ledger ledger) {
        assertThat(entries(ledger)).hasSize(1);
        return entries(ledger).getFirst();
    }

    private static void claimAndAsk(Ledger ledger, int number) {
        assertThat(ledger.claim(id(number))).isInstanceOf(Claim.Mine.class);
        assertThat(ledger.attempted(key(number))).isTrue();
    }

    @Test
    void anEvaluationBelongsToTheFirstWhoClaimsItAndOthersAreToldWhoHasIt() {
        Ledger one = open();
        Ledger other = open();
        Instant before = Instant.now();

        assertThat(one.claim(id(1))).isEqualTo(new Claim.Mine(0, 0));

        for (Ledger later : List.of(other, one)) {
            assertThat(later.claim(id(1))).isInstanceOfSatisfying(Claim.Elsewhere.class, elsewhere -> {
                assertThat(elsewhere.owner())
                        .startsWith("process " + ProcessHandle.current().pid() + " on ");
                assertThat(elsewhere.leaseUntil())
                        .isBetween(
                                before.plus(LEASE).minusSeconds(60),
                                before.plus(LEASE).plusSeconds(60));
            });
        }
        assertThat(other.claim(id(2))).isEqualTo(new Claim.Mine(0, 0));
    }

    @Test
    void anAnswerIsGivenToEverybodyToTheLastBit() {
        EvaluationId id = id(6); // of seven steps
        double[] rewards = {-0.0, 0, Double.MIN_VALUE, -Double.MAX_VALUE, Math.PI, 1e-300, 0.1 + 0.2};
        Reply answer = Reply.ofSteps(rewards, 0.07);
        Ledger one = open();
        claimAndAsk(one, 6);

        assertThat(one.done(id.key(), answer)).isSameAs(answer);

        assertThat(one.claim(id)).isEqualTo(new Claim.Done(answer));
        assertThat(open().claim(id)).isEqualTo(new Claim.Done(answer));
        assertThat(only(one).reused()).isEqualTo(2);
    }

    @Test
    void oneNumberForAnEpisodeStaysOneNumber() {
        Ledger ledger = open();
        claimAndAsk(ledger, 5);
        ledger.done(key(5), Reply.ofEpisode(8.5, 2));

        assertThat(ledger.claim(id(5))).isInstanceOfSatisfying(Claim.Done.class, done -> {
            assertThat(done.answer()).isEqualTo(Reply.ofEpisode(8.5, 2));
            assertThat(done.answer().rewards(3).values()).containsExactly(0, 0, 8.5);
        });
    }

    @Test
    void theFirstAnswerCounts() throws SQLException {
        Ledger slow = open();
        Ledger fast = open();
        claimAndAsk(slow, 1);
        expire(1);
        claimAndAsk(fast, 1);
        Reply first = Reply.ofEpisode(1, 10);
        Reply second = Reply.ofEpisode(2, 20);

        assertThat(slow.done(key(1), first)).isEqualTo(first);
        assertThat(fast.done(key(1), second)).isEqualTo(first);

        assertThat(fast.claim(id(1))).isEqualTo(new Claim.Done(first));
        assertThat(only(fast).cost()).isEqualTo(10);
    }

    @Test
    void anAnswerCanBeRecordedAgainWithoutHarm() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        ledger.done(key(1), answer(1));
        assertThat(ledger.done(key(1), answer(1))).isEqualTo(answer(1));
        assertThat(only(ledger).state()).isEqualTo(State.DONE);
    }

    @Test
    void whatWasAskedAndWhoseLeaseRanOutIsInDoubt() throws SQLException {
        Ledger gone = open();
        Ledger next = open();
        claimAndAsk(gone, 1);
        expire(1);

        assertThat(next.claim(id(1))).isEqualTo(new Claim.Mine(1, 1));

        assertThat(gone.attempted(key(1))).isFalse();
        assertThat(gone.renew(List.of(key(1)))).containsExactly(key(1));
        assertThat(only(next).inDoubt()).isEqualTo(1);
    }

    @Test
    void whatWasOnlyClaimedIsNotInDoubt() throws SQLException {
        Ledger gone = open();
        gone.claim(id(1));
        expire(1);
        assertThat(open().claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
    }

    @Test
    void whatFailedAndWasNotAskedAgainIsNotInDoubt() throws SQLException {
        Ledger gone = open();
        claimAndAsk(gone, 1);
        gone.attemptFailed(key(1), "no");
        expire(1);
        assertThat(open().claim(id(1))).isEqualTo(new Claim.Mine(1, 0));
    }

    @Test
    void aRenewedClaimIsKept() throws SQLException {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        claimAndAsk(ledger, 2);
        expire(1);
        expire(2);

        assertThat(ledger.renew(List.of(key(1)))).isEmpty();

        assertThat(open().claim(id(1))).isInstanceOf(Claim.Elsewhere.class);
        assertThat(open().claim(id(2))).isEqualTo(new Claim.Mine(1, 1));
    }

    @Test
    void aRenewalBetweenTheLookAndTheTakeoverWins() throws SQLException {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        expire(1);
        EvaluationTable thief =
                new EvaluationTable(database().now(), Owner.current().text(), LEASE);
        try (Connection connection = database().connect()) {
            Row seen = thief.find(connection, key(1)).orElseThrow();
            assertThat(seen.expired()).isTrue();

            ledger.renew(List.of(key(1)));

            assertThat(thief.take(connection, id(1), seen, "token")).isFalse();
        }
        assertThat(ledger.attempted(key(1))).isTrue();
    }

    @Test
    void aClaimThatIsRepeatedSinceItsConfirmationWasLostIsOneClaim() throws SQLException {
        SqlLedger gone = open();
        claimAndAsk(gone, 1);
        expire(1);
        SqlLedger next = open();

        assertThat(next.claim(id(1), "token")).isEqualTo(new Claim.Mine(1, 1));
        assertThat(next.claim(id(1), "token")).isEqualTo(new Claim.Mine(1, 1));
        assertThat(next.claim(id(2), "token")).isEqualTo(new Claim.Mine(0, 0));
        assertThat(next.claim(id(2), "token")).isEqualTo(new Claim.Mine(0, 0));
    }

    @Test
    void claimsOfAProcessThatIsCertainlyDeadAreTakenAtOnce() throws Exception {
        Owner here = Owner.current();
        Process process = new ProcessBuilder("true").start();
        process.waitFor();
        Owner dead = new Owner(here.host(), process.pid(), here.place(), "dead");
        Owner deadElsewhere = new Owner(here.host(), process.pid(), "other boot", "elsewhere");
        claimAndAsk(open(dead), 1);
        claimAndAsk(open(deadElsewhere), 2);

        assertThat(open().claim(id(1))).isEqualTo(here.place().isEmpty() ? elsewhere(dead) : new Claim.Mine(1, 1));
        assertThat(open().claim(id(2))).isInstanceOf(Claim.Elsewhere.class);
    }

    private Claim elsewhere(Owner owner) {
        return new Claim.Elsewhere(
                owner.words(),
                Objects.requireNonNull(entries(opened.getFirst()).getFirst().leaseUntil()));
    }

    @Test
    void attemptsAreCountedUntilTheyAreForgiven() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        ledger.attemptFailed(key(1), "timeout");
        assertThat(ledger.attempted(key(1))).isTrue();
        ledger.failed(key(1), "out of paper");

        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Failed("out of paper"));
        assertThat(ledger.attempted(key(1))).isFalse();
        assertThat(only(ledger).state()).isEqualTo(State.FAILED);
        assertThat(only(ledger).finished()).isNotNull();

        ledger.askAgain(List.of(key(1), key(2)));
        assertThat(only(ledger).finished()).isNull();
        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
        assertThat(ledger.attempted(key(1))).isTrue();
        assertThat(only(ledger).attempts()).isEqualTo(3);
    }

    /** Money for which there is no answer: failed calls that were not free, and calls whose process is gone. */
    @Test
    void callsWithoutAnAnswerAreCountedWithTheirCost() throws SQLException {
        Ledger ledger = open();
        ledger.claim(id(1));
        assertThat(ledger.attempted(key(1), OptionalDouble.of(0.5))).isTrue();
        assertThat(only(ledger).unanswered()).isEqualTo(new LedgerEntry.Unanswered(1, 0.5));
        ledger.attemptFailed(key(1), new FailedCall("busy", OptionalDouble.empty(), false));
        assertThat(only(ledger).unanswered()).isEqualTo(LedgerEntry.Unanswered.NONE);
        ledger.attempted(key(1), OptionalDouble.of(0.5));
        ledger.attemptFailed(key(1), new FailedCall("timeout", OptionalDouble.of(0.25), true));
        assertThat(only(ledger).unanswered()).isEqualTo(new LedgerEntry.Unanswered(1, 0.25));
        assertThat(only(ledger).inDoubt()).isOne();
        ledger.attempted(key(1), OptionalDouble.of(0.5));
        expire(1);

        Ledger next = open();
        next.claim(id(1));
        assertThat(only(next).unanswered()).isEqualTo(new LedgerEntry.Unanswered(2, 0.75));
        next.attempted(key(1), OptionalDouble.empty());
        assertThat(only(next).unanswered()).isEqualTo(new LedgerEntry.Unanswered(2, 0.75));
        next.done(key(1), answer(1));
        assertThat(only(next).unanswered()).isEqualTo(new LedgerEntry.Unanswered(2, 0.75));
        assertThat(only(next).inDoubt()).isEqualTo(2);
    }

    @Test
    void anAnswerOrGivingUpEndsTheCallUnderWay() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        ledger.done(key(1), answer(1));
        assertThat(only(ledger).unanswered()).isEqualTo(LedgerEntry.Unanswered.NONE);
        ledger.claim(id(2));
        ledger.attempted(key(2), OptionalDouble.of(2));
        ledger.failed(key(2), "no");
        assertThat(entries(ledger).getLast().unanswered()).isEqualTo(new LedgerEntry.Unanswered(1, 2));
    }

    @Test
    void askingAgainLeavesAloneWhatHasNotFailed() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        claimAndAsk(ledger, 2);
        ledger.done(key(1), answer(1));

        ledger.askAgain(List.of(key(1), key(2)));

        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
        assertThat(open().claim(id(2))).isInstanceOf(Claim.Elsewhere.class);
    }

    @Test
    void anAnswerThatComesAfterGivingUpIsKept() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        ledger.failed(key(1), "too slow");
        ledger.done(key(1), answer(1));
        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
    }

    @Test
    void whoLostAClaimCanNeitherFailNorReleaseIt() throws SQLException {
        Ledger gone = open();
        Ledger next = open();
        claimAndAsk(gone, 1);
        expire(1);
        claimAndAsk(next, 1);

        gone.attemptFailed(key(1), "late");
        gone.failed(key(1), "late");
        gone.release(List.of(key(1)));

        assertThat(only(next).error()).isEmpty();
        assertThat(only(next).state()).isEqualTo(State.RUNNING);
        assertThat(next.attempted(key(1))).isTrue();
    }

    @Test
    void aReleasedClaimIsFree() {
        Ledger ledger = open();
        ledger.claim(id(1));
        ledger.release(List.of(key(1)));
        assertThat(open().claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
    }

    @Test
    void closingGivesUpAllClaims() {
        Ledger ledger = open();
        ledger.claim(id(1));
        claimAndAsk(ledger, 2);
        claimAndAsk(ledger, 3);
        ledger.done(key(3), answer(3));

        ledger.close();
        ledger.close();

        Ledger next = open();
        assertThat(next.claim(id(1))).isEqualTo(new Claim.Mine(0, 0));
        assertThat(next.claim(id(2))).isEqualTo(new Claim.Mine(1, 1));
        assertThat(next.claim(id(3))).isEqualTo(new Claim.Done(answer(3)));
        assertThatThrownBy(() -> ledger.claim(id(1))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anAnswerMustFitItsEpisode() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1); // of two steps
        assertThatThrownBy(() -> ledger.done(key(1), Reply.ofSteps(new double[3], 0)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2 steps but 3 rewards");
        assertThatThrownBy(() -> ledger.done(key(2), answer(2)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was never requested");
        assertThat(ledger.done(key(1), answer(1))).isEqualTo(answer(1));
    }

    @Test
    void longAndStrangeErrorsAreKeptAsFarAsPossible() {
        Ledger ledger = open();
        claimAndAsk(ledger, 1);
        ledger.failed(key(1), "\0 bad \uD800 ü 'quoted' " + "x".repeat(100_000));
        assertThat(only(ledger).error())
                .startsWith("? bad ? ü 'quoted' xxx")
                .endsWith("x…")
                .hasSize(StorableText.LONGEST_ERROR);
    }

    @Test
    void anAnswerThatIsNotWhatWasRecordedIsNeverUsed() throws SQLException {
        Ledger ledger = open();
        for (int number = 1; number <= 2; number++) {
            claimAndAsk(ledger, number);
            ledger.done(key(number), Reply.ofEpisode(number, 0));
        }
        sql("UPDATE pgkq_evaluation SET rewards = (SELECT rewards FROM pgkq_evaluation WHERE key = '" + key(2)
                + "') WHERE key = '" + key(1) + "'");

        assertThatThrownBy(() -> ledger.claim(id(1)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("evaluation " + key(1))
                .hasMessageContaining("is damaged");
        assertThat(ledger.claim(id(2))).isEqualTo(new Claim.Done(Reply.ofEpisode(2, 0)));
        LedgerReport report = new LedgerReport();
        ledger.read(report);
        assertThat(report.all().damaged()).isEqualTo(1);
    }

    @Test
    void entriesTellTheWholeStory() {
        Ledger ledger = open();
        Instant before = Instant.now().minusSeconds(60);
        claimAndAsk(ledger, 13);
        ledger.attemptFailed(key(13), "busy");
        ledger.attempted(key(13));
        LedgerEntry running = only(ledger);
        ledger.done(key(13), answer(13));
        LedgerEntry done = only(ledger);

        assertThat(running.id()).isEqualTo(id(13));
        assertThat(running.id().iteration()).isEqualTo(1);
        assertThat(running.id().episode()).isEqualTo(5);
        assertThat(running.state()).isEqualTo(State.RUNNING);
        assertThat(running.owner())
                .contains(String.valueOf(ProcessHandle.current().pid()));
        assertThat(running.leaseUntil()).isAfter(before.plus(LEASE));
        assertThat(running.finished()).isNull();
        assertThat(running.took()).isEmpty();

        assertThat(done.state()).isEqualTo(State.DONE);
        assertThat(done.attempts()).isEqualTo(2);
        assertThat(done.owner()).isEmpty();
        assertThat(done.leaseUntil()).isNull();
        assertThat(done.error()).isEqualTo("busy");
        assertThat(done.requested()).isBetween(before, before.plusSeconds(120));
        assertThat(done.started()).isBetween(done.requested(), done.finished());
        assertThat(done.answered())
                .isEqualTo(new LedgerEntry.Answered(answer(13).total(), 0.13, false));
        assertThat(done.took()).isPresent();
    }

    @Test
    void manyEntriesAreReadInTheOrderOfTheirRequests() throws SQLException {
        Ledger ledger = open();
        int count = 60;
        for (int number = 0; number < count; number++) {
            ledger.claim(id(number));
            sql("UPDATE pgkq_evaluation SET requested = " + (1000 - number) + " WHERE key = '" + key(number) + "'");
        }
        assertThat(entries(ledger).stream().map(entry -> entry.id().key()))
                .containsExactlyElementsOf(IntStream.range(0, count)
                        .mapToObj(number -> key(count - 1 - number))
                        .toList());
    }

    @Test
    void everyEvaluationIsBoughtOnceHoweverManyWantIt() throws Exception {
        int evaluations = 40;
        int threads = 8;
        ConcurrentHashMap<LedgerKey, AtomicInteger> bought = new ConcurrentHashMap<>();
        List<Ledger> ledgers = List.of(open(), open());
        List<Callable<Void>> buyers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Ledger ledger = ledgers.get(i % 2);
            int first = i * 5;
            buyers.add(() -> {
                for (int j = 0; j < evaluations; j++) {
                    int number = (first + j) % evaluations;
                    Runnable count = () -> bought.computeIfAbsent(key(number), key -> new AtomicInteger())
                            .incrementAndGet();
                    while (!LedgerChild.claimed(ledger, number, count)) {
                        Thread.onSpinWait();
                    }
                }
                return null;
            });
        }
        runAll(buyers);
        assertThat(bought).hasSize(evaluations);
        assertThat(bought.values()).allSatisfy(count -> assertThat(count).hasValue(1));
        assertThat(entries(ledgers.getFirst())).allSatisfy(entry -> {
            assertThat(entry.attempts()).isEqualTo(1);
            assertThat(entry.reused()).isEqualTo(threads - 1);
        });
    }

    @Test
    void whatIsInDoubtIsTakenOverByOneOnly() throws Exception {
        int evaluations = 30;
        Ledger gone = open();
        for (int number = 0; number < evaluations; number++) {
            claimAndAsk(gone, number);
        }
        sql("UPDATE pgkq_evaluation SET lease_until = 1");
        AtomicInteger taken = new AtomicInteger();
        List<Ledger> ledgers = List.of(open(), open(), open(), open());
        List<Callable<Void>> takers = new ArrayList<>();
        for (Ledger ledger : ledgers) {
            takers.add(() -> {
                for (int number = 0; number < evaluations; number++) {
                    if (ledger.claim(id(number)) instanceof Claim.Mine mine) {
                        assertThat(mine).isEqualTo(new Claim.Mine(1, 1));
                        taken.incrementAndGet();
                    }
                }
                return null;
            });
        }
        runAll(takers);
        assertThat(taken).hasValue(evaluations);
    }

    @Test
    void manyCanOpenANewLedgerAtOnce() throws Exception {
        List<Callable<Void>> openers = new ArrayList<>();
        AtomicInteger mine = new AtomicInteger();
        for (int i = 0; i < 8; i++) {
            openers.add(() -> {
                try (Ledger ledger = SqlLedger.open(database(), LEASE, Patience.DEFAULT)) {
                    if (ledger.claim(id(1)) instanceof Claim.Mine) {
                        mine.incrementAndGet();
                        ledger.attempted(key(1));
                        ledger.done(key(1), answer(1));
                    }
                }
                return null;
            });
        }
        runAll(openers);
        assertThat(mine).hasValue(1);
    }

    private static void runAll(List<Callable<Void>> tasks) throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(tasks.size())) {
            for (Future<Void> result : threads.invokeAll(tasks)) {
                result.get();
            }
        }
    }

    @Test
    void contentsOfAnOracleAreRecognized() {
        Ledger ledger = open();
        String oracle = id(1).oracle();
        assertThat(ledger.recognize(oracle, "first", "first", false)).isEmpty();
        assertThat(ledger.recognize(oracle, "second", "second", false)).isEmpty();
        claimAndAsk(ledger, 1);
        ledger.done(key(1), answer(1));

        assertThat(ledger.recognize(oracle, "second", "second", false)).isEmpty();
        assertThat(ledger.recognize(oracle, "first", "first", false)).hasValue(new OtherContents(1, "second"));
        assertThat(ledger.recognize("another", "first", "first", false)).isEmpty();

        assertThat(ledger.recognize(oracle, "third\0", "third\0", true)).isEmpty();
        assertThat(ledger.recognize(oracle, "third\0", "third\0", false)).isEmpty();
        assertThat(ledger.recognize(oracle, "second", "second", false)).isEmpty();
    }

    /** Their oracles are known only by their answers. */
    @Test
    void anOlderLedgerIsReadAndTakesTheContentsSeenFirst() {
        Schema second = new Schema(
                LedgerTables.CURRENT.table(), LedgerTables.CURRENT.versions().subList(0, 2));
        try (Ledger old = open(second, Owner.current())) {
            claimAndAsk(old, 1);
            old.done(key(1), answer(1));
            assertThat(entries(old)).hasSize(1);
        }
        Ledger ledger = open();
        assertThat(ledger.recognize(id(1).oracle(), "first", "first", false)).isEmpty();
        assertThat(ledger.recognize(id(1).oracle(), "second", "second", false)).hasValue(new OtherContents(1, "first"));
    }

    /** They were given to an oracle that was not shown what it is shown now. */
    @Test
    void answersWithoutContentsAreNotThoseOfAnOracleThatIsShownMore() {
        Schema second = new Schema(
                LedgerTables.CURRENT.table(), LedgerTables.CURRENT.versions().subList(0, 2));
        try (Ledger old = open(second, Owner.current())) {
            claimAndAsk(old, 1);
            old.done(key(1), answer(1));
        }
        Ledger ledger = open();
        String oracle = id(1).oracle();
        assertThat(ledger.recognize(oracle, "pictures", "", false)).hasValue(new OtherContents(1, ""));
        assertThat(ledger.recognize(oracle, "", "", false)).isEmpty();
        assertThat(ledger.recognize(oracle, "pictures", "", true)).isEmpty();
        assertThat(ledger.recognize(oracle, "pictures", "", false)).isEmpty();
        assertThat(ledger.recognize(oracle, "", "", false)).isEmpty();
    }

    private static Schema later(String... statements) {
        List<List<String>> versions = new ArrayList<>(LedgerTables.CURRENT.versions());
        versions.add(List.of(statements));
        return new Schema(LedgerTables.CURRENT.table(), versions);
    }

    @Test
    void anOlderLedgerIsBroughtUpToDateWithAllThatIsInIt() throws SQLException {
        try (Ledger old = open()) {
            claimAndAsk(old, 1);
            old.done(key(1), answer(1));
        }
        Schema later = later(
                "ALTER TABLE pgkq_evaluation ADD COLUMN colour TEXT DEFAULT 'grey'",
                "CREATE TABLE pgkq_extra (picture BYTES)");

        Ledger ledger = open(later, Owner.current());
        open(later, Owner.current());

        assertThat(ledger.claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
        assertThat(ledger.claim(id(2))).isEqualTo(new Claim.Mine(0, 0));
        sql("INSERT INTO pgkq_extra SELECT rewards FROM pgkq_evaluation WHERE colour = 'grey'");
    }

    @Test
    void whenBringingItUpToDateFailsTheLedgerIsAsItWas() {
        try (Ledger old = open()) {
            claimAndAsk(old, 1);
            old.done(key(1), answer(1));
        }
        Schema mistaken = later("ALTER TABLE pgkq_evaluation ADD COLUMN colour TEXT", "INSERT INTO nowhere VALUES (1)");

        assertThatThrownBy(() -> open(mistaken, Owner.current()))
                .isInstanceOf(UserException.class)
                .hasMessageContaining(database().name());

        assertThat(open().claim(id(1))).isEqualTo(new Claim.Done(answer(1)));
        open(later("ALTER TABLE pgkq_evaluation ADD COLUMN colour TEXT"), Owner.current());
    }

    @Test
    void aLedgerOfANewerProgramIsRefusedAndLeftAlone() {
        Schema later = later("ALTER TABLE pgkq_evaluation RENAME COLUMN token TO token_of_the_future");
        open(later, Owner.current()).close();
        int newest = LedgerTables.CURRENT.newest();

        assertThatThrownBy(this::open)
                .isInstanceOf(UserException.class)
                .hasMessageContaining(database().name())
                .hasMessageContaining("written by a newer pgkq (version " + (newest + 1)
                        + " of its tables; this one supports up to " + newest + ")")
                .hasMessageContaining("Use the newer pgkq, or another ledger");
        assertThatThrownBy(() -> LedgerReader.read(database(), entry -> {}))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("newer pgkq");

        open(later, Owner.current());
    }

    /** More than one query can ask for. */
    @Test
    void theEntriesOfSomeEvaluationsAreReadWithoutTheOthers() {
        List<EvaluationId> ids =
                IntStream.range(0, 1300).mapToObj(TestEvaluations::id).toList();
        open().handOuts().handOut(ids);
        List<LedgerKey> wanted = IntStream.range(100, 1350)
                .filter(i -> i != 700)
                .mapToObj(TestEvaluations::key)
                .toList();
        List<LedgerKey> found = new ArrayList<>();

        LedgerReader.read(database(), wanted, entry -> found.add(entry.id().key()));

        assertThat(found).containsExactlyInAnyOrderElementsOf(wanted.subList(0, 1199));
    }
}
