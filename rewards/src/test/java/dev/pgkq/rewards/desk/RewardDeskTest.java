package dev.pgkq.rewards.desk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.pgkq.env.Recording;
import dev.pgkq.env.Task;
import dev.pgkq.env.Tasks;
import dev.pgkq.episode.Ending;
import dev.pgkq.episode.Episode;
import dev.pgkq.reward.Answer;
import dev.pgkq.reward.Grain;
import dev.pgkq.reward.Rewards;
import dev.pgkq.rewards.ledger.EvaluationId;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerEntry;
import dev.pgkq.rewards.ledger.LedgerReport;
import dev.pgkq.rewards.ledger.Paid;
import dev.pgkq.rewards.ledger.State;
import dev.pgkq.rewards.oracle.EvaluationException;
import dev.pgkq.rewards.oracle.Evaluator;
import dev.pgkq.rewards.oracle.RetryPolicy;
import dev.pgkq.rewards.request.Reply;
import dev.pgkq.rewards.request.Request;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 2, unit = TimeUnit.MINUTES)
class RewardDeskTest {
    private static final Task TASK = Tasks.named("Pendulum-v1");
    private static final int LENGTH = 3;

    @TempDir
    private Path folder = Path.of("");

    /** Calls by idempotency key. */
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    private Duration lease = Ledger.DEFAULT_LEASE;
    private Runnable announced = () -> {};
    private volatile boolean failing;
    /** Thrown by every call, if it is not null. */
    private volatile @Nullable EvaluationException broken;

    private int attempts = 1;
    /** For every call, how many had been answered before. */
    private final List<Integer> answeredBefore = Collections.synchronizedList(new ArrayList<>());

    private final List<String> infos = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger answered = new AtomicInteger();
    private volatile int rewards = LENGTH;
    private volatile Duration slowness = Duration.ZERO;
    private Grain told = Grain.STEP;
    private OptionalDouble price = OptionalDouble.empty();

    private volatile Runnable meanwhile = () -> {};
    private volatile Map<String, String> contents = Map.of();

    private final class Counting implements Evaluator {
        @Override
        public String identity() {
            return "counting";
        }

        @Override
        public Map<String, String> contents() {
            return contents;
        }

        @Override
        public void expect(List<Request> requests) {
            announced.run();
        }

        @Override
        public Reply evaluate(Request request) throws EvaluationException, InterruptedException {
            calls.merge(request.idempotencyKey(), 1, Integer::sum);
            answeredBefore.add(answered.get());
            infos.add(request.recording().infos().toString());
            meanwhile.run();
            Thread.sleep(slowness);
            if (failing) {
                throw EvaluationException.permanent("no idea");
            }
            EvaluationException failure = broken;
            if (failure != null) {
                throw failure;
            }
            answered.incrementAndGet();
            double[] values = told == Grain.EPISODE ? new double[] {9} : new double[rewards];
            Arrays.fill(values, request.episode().index() + 1);
            return new Reply(told, values, price, Optional.empty());
        }

        @Override
        public void close() {}
    }

    private static List<Episode> episodes(int iteration, int count) {
        List<Episode> episodes = new ArrayList<>();
        for (int e = 0; e < count; e++) {
            float[] actions = new float[LENGTH];
            Arrays.fill(actions, 100 * iteration + e);
            episodes.add(new Episode(
                    iteration,
                    e,
                    LENGTH,
                    new float[3 * LENGTH],
                    actions,
                    new float[LENGTH],
                    new double[(LENGTH + 1) * TASK.spec().stateSize()],
                    Ending.TRUNCATED));
        }
        return episodes;
    }

    private RewardDesk desk(Grain wanted, Budget limits) {
        RetryPolicy usual = RetryPolicy.defaults();
        RetryPolicy patience = new RetryPolicy(
                attempts,
                usual.timeout(),
                Duration.ofMillis(1),
                usual.longestPause(),
                usual.longestWait(),
                usual.perMinute(),
                8);
        RewardListener listener = RewardListener.none();
        return new RewardDesk(
                new Counting(),
                patience,
                new AnswerRecorder(
                        () -> Ledger.open(folder.resolve("ledger.db").toString(), lease),
                        new Spool(folder.resolve("spool"), folder.resolve("temporary"), "run"),
                        listener,
                        0),
                TASK,
                "run",
                wanted,
                limits,
                listener);
    }

    private RewardDesk desk() {
        return desk(Grain.STEP, new Budget(Long.MAX_VALUE, Double.POSITIVE_INFINITY, 0));
    }

    private List<LedgerEntry> ledger() {
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(folder.resolve("ledger.db").toString(), entries::add);
        return entries;
    }

    private static Spent spent(int answers, int cost, int unanswered) {
        return new Spent(new Paid(answers, BigDecimal.valueOf(cost)), new Paid(unanswered, BigDecimal.ZERO));
    }

    private static void assertPaid(List<Answer> answers) {
        for (int e = 0; e < answers.size(); e++) {
            assertThat(answers.get(e)).isInstanceOf(Answer.Paid.class);
            Rewards rewards = ((Answer.Paid) answers.get(e)).rewards();
            assertThat(rewards.values()).hasSize(LENGTH).containsOnly(e + 1.0);
        }
    }

    /** Of three episodes, the ledger has the answer of one. */
    @Test
    void onlyEpisodesThatAreAskedForAreRecorded() {
        List<Episode> three = episodes(1, 3);
        try (RewardDesk desk = desk()) {
            desk.request(three.subList(1, 2));
        }
        Set<Integer> recorded = ConcurrentHashMap.newKeySet();
        try (RewardDesk desk = desk()) {
            desk.recordWith(episode -> {
                recorded.add(episode.index());
                return new Recording(List.of("{\"of\": " + episode.index() + "}"), List.of(), 0);
            });
            assertPaid(desk.request(three));
        }
        assertThat(recorded).containsExactlyInAnyOrder(0, 2);
        assertThat(infos).containsExactlyInAnyOrder("[]", "[{\"of\": 0}]", "[{\"of\": 2}]");
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "files in use cannot be deleted there")
    void answersThatArriveAfterTheLedgerWasDeletedAreNotAskedForAgain() {
        meanwhile = () -> {
            try {
                Files.delete(folder.resolve("ledger.db"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        };
        try (RewardDesk desk = desk()) {
            assertThatThrownBy(() -> desk.request(episodes(1, 1)))
                    .isInstanceOf(UserException.class)
                    .hasMessageContainingAll(
                            "was deleted while it was in use",
                            "1 answer that could not be recorded is in " + folder.resolve("spool")
                                    + "; resuming the run records it");
        }
        meanwhile = () -> {};
        Budget one = Budget.ofEvaluations(1);
        try (RewardDesk other = desk(Grain.STEP, one)) {
            assertPaid(other.request(episodes(1, 1)));
            assertThat(other.paid().answers().evaluations()).isEqualTo(1);
            assertThat(other.request(episodes(2, 1)).getFirst()).isInstanceOf(Answer.NotBought.class);
        }
        assertThat(calls.values()).containsExactly(1);
        assertThat(folder.resolve("spool")).doesNotExist();
    }

    @Test
    void answersOfAnEditedScriptAreMixedWithOthersOnlyOnDemand() {
        contents = Map.of("judge.py", "1a", "rubric.txt", "1b");
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 3));
            contents = Map.of("judge.py", "2a", "rubric.txt", "1b");
            assertThatThrownBy(() -> desk.request(episodes(2, 3)))
                    .isInstanceOfSatisfying(
                            OracleChanged.class,
                            changed -> assertThat(changed.version()).isEqualTo(1))
                    .hasMessage("judge.py changed since 3 answers were recorded in the ledger "
                            + folder.resolve("ledger.db"));
        }
        try (RewardDesk resumed = desk()) {
            assertThatThrownBy(() -> resumed.request(episodes(1, 3))).isInstanceOf(OracleChanged.class);
        }
        assertThat(calls).hasSize(3);

        try (RewardDesk reusing = desk()) {
            reusing.useVersion(1, true);
            assertPaid(reusing.request(episodes(1, 3)));
            assertThat(calls).hasSize(3);
            contents = Map.of("judge.py", "2a", "rubric.txt", "3b");
            assertThatThrownBy(() -> reusing.request(episodes(1, 3)))
                    .isInstanceOf(OracleChanged.class)
                    .hasMessageStartingWith("rubric.txt changed since 3 answers");
        }
        contents = Map.of("judge.py", "2a", "rubric.txt", "1b");
        try (RewardDesk again = desk()) {
            assertPaid(again.request(episodes(1, 3)));
        }
        assertThat(calls).hasSize(3);
    }

    /** An evaluator without a script is shown pictures, more of them, and none again. */
    @Test
    void answersToWhatWasShownOtherwiseAreMixedOnlyOnDemand() {
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 3));
        }
        assertShownOtherwise("--frames", Map.of("--frames", "8"));
        assertThat(calls).hasSize(3);
        try (RewardDesk reusing = desk()) {
            reusing.show(Map.of("--frames", "8"));
            reusing.useVersion(1, true);
            assertPaid(reusing.request(episodes(1, 3)));
        }
        try (RewardDesk second = desk()) {
            second.show(Map.of("--frames", "8"));
            second.useVersion(2, false);
            assertPaid(second.request(episodes(1, 3)));
            assertThat(calls).hasSize(6);
        }
        assertShownOtherwise("--frames", Map.of("--frames", "9"));
        assertShownOtherwise("--frames and --infos", Map.of("--frames", "9", "--infos", "true"));
        try (RewardDesk none = desk()) {
            none.useVersion(2, false);
            assertThatThrownBy(() -> none.request(episodes(1, 3)))
                    .isInstanceOf(OracleChanged.class)
                    .hasMessageStartingWith("--frames changed since 3 answers were recorded");
        }
        assertThat(calls).hasSize(6);
    }

    private void assertShownOtherwise(String names, Map<String, String> settings) {
        try (RewardDesk desk = desk()) {
            desk.show(settings);
            assertThatThrownBy(() -> desk.request(episodes(1, 3)))
                    .isInstanceOf(OracleChanged.class)
                    .hasMessageStartingWith(names + " changed since 3 answers were recorded");
        }
    }

    @Test
    void anotherVersionHasAnswersOfItsOwn() {
        contents = Map.of("judge.py", "1");
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 2));
        }
        contents = Map.of("judge.py", "2");
        try (RewardDesk second = desk()) {
            second.useVersion(2, false);
            assertPaid(second.request(episodes(1, 2)));
            assertPaid(second.request(episodes(1, 2)));
            assertThat(second.paid().answers().evaluations()).isEqualTo(4);
        }
        assertThat(calls).hasSize(4);
        assertThat(ledger().stream().map(entry -> entry.id().oracle()).distinct())
                .containsExactly("counting", "counting [version 2]");
    }

    /** The answers of an earlier version do not show that this one works. */
    @Test
    void theFirstEvaluationOfAnotherVersionIsSentAlone() {
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 6));
        }
        rewards = LENGTH - 1;
        try (RewardDesk second = desk()) {
            second.useVersion(2, false);
            assertThatThrownBy(() -> second.request(episodes(2, 6))).isInstanceOf(FirstAnswerException.class);
        }
        assertThat(totalCalls()).isEqualTo(7);
    }

    /** Nothing can be mixed yet. */
    @Test
    void aScriptMayBeEditedUntilItHasAnswered() {
        contents = Map.of("judge.py", "1");
        failing = true;
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 2));
        }
        contents = Map.of("judge.py", "2");
        failing = false;
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 2)));
            contents = Map.of("judge.py", "1");
            assertThatThrownBy(() -> desk.request(episodes(1, 2))).isInstanceOf(OracleChanged.class);
        }
    }

    @Test
    void whatWasPaidForIsNotAskedForAgain() {
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 5)));
            assertPaid(desk.request(episodes(1, 5)));
        }
        try (RewardDesk another = desk()) {
            assertPaid(another.request(episodes(1, 5)));
        }
        assertThat(calls)
                .hasSize(5)
                .allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
    }

    /** An evaluator may take long to queue the requests, for instance in a database of its own. */
    @Test
    void claimsAreRenewedFromTheMomentTheyAreMade() {
        lease = Duration.ofSeconds(3);
        announced = () -> {
            Instant first = endOfLease();
            while (!endOfLease().isAfter(first)) {
                LockSupport.parkNanos(1_000_000);
            }
        };
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 2)));
        }
    }

    private Instant endOfLease() {
        return ledger().stream()
                .map(LedgerEntry::leaseUntil)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow(() -> new AssertionError("the claim expired"));
    }

    @Test
    void nothingIsOpenedBeforeTheFirstRewardIsWanted() {
        desk().close();
        assertThat(folder.resolve("ledger.db")).doesNotExist();
    }

    @Test
    void whatFailedIsSaidAndAskedForAgainByTheNextProcessOnly() {
        failing = true;
        try (RewardDesk desk = desk()) {
            assertThat(desk.request(episodes(1, 2)))
                    .allSatisfy(answer -> assertThat(answer).isEqualTo(new Answer.Failed("no idea")));
            assertThat(desk.request(episodes(1, 2))).hasOnlyElementsOfType(Answer.Failed.class);
        }
        assertThat(calls.values()).containsOnly(1);
        assertThat(ledger()).extracting(LedgerEntry::state).containsOnly(State.FAILED);
        failing = false;
        try (RewardDesk resumed = desk()) {
            assertPaid(resumed.request(episodes(1, 2)));
        }
        assertThat(calls.values()).containsOnly(2);
    }

    @Test
    void aWrongNumberOfRewardsIsAFailedAttempt() {
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 1)));
            rewards = LENGTH - 1;
            assertThat(desk.request(episodes(2, 2)))
                    .containsOnly(new Answer.Failed("counting returned 2 rewards for an episode of 3 steps"));
        }
        rewards = LENGTH;
        try (RewardDesk fixed = desk()) {
            assertPaid(fixed.request(episodes(2, 2)));
        }
    }

    private int totalCalls() {
        return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    @Test
    void theFirstEvaluationIsSentAlone() {
        slowness = Duration.ofMillis(20);
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 6)));
        }
        assertThat(answeredBefore).hasSize(6).startsWith(0);
        assertThat(answeredBefore.subList(1, 6))
                .allSatisfy(count -> assertThat(count).isPositive());
    }

    /** One call of thirty: six episodes, five attempts each. */
    @Test
    void anAnswerAgainstTheContractIsNotAskedForAgainBeforeThereIsAGoodOne() {
        attempts = 5;
        rewards = LENGTH - 1;
        try (RewardDesk desk = desk()) {
            assertThatThrownBy(() -> desk.request(episodes(1, 6)))
                    .isInstanceOf(FirstAnswerException.class)
                    .hasMessageContaining("the first call gave no usable answer, and no other was made")
                    .hasMessageContaining("returned 2 rewards for an episode of 3 steps")
                    .hasMessageContaining("{\"return\": 7.5}, or {\"rewards\": [0.5, …]} with 3 numbers");
            assertThat(desk.spent()).isEqualTo(spent(0, 0, 1));
        }
        assertThat(totalCalls()).isOne();
        rewards = LENGTH;
        try (RewardDesk fixed = desk()) {
            assertPaid(fixed.request(episodes(1, 6)));
        }
        assertThat(totalCalls()).isEqualTo(7);
    }

    @Test
    void anEpisodeThatFailedBeforeIsNotTheFirstAgain() {
        broken = EvaluationException.temporary("crashed").againstContract();
        for (int run = 1; run <= 3; run++) {
            try (RewardDesk desk = desk()) {
                assertThatThrownBy(() -> desk.request(episodes(1, 6))).isInstanceOf(FirstAnswerException.class);
            }
            assertThat(calls).as("run %d", run).hasSize(run);
        }
    }

    @Test
    void aGoodAnswerAllowsFurtherAttemptsAlsoAfterARestart() {
        attempts = 3;
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 2)));
        }
        broken = EvaluationException.temporary("half a token").againstContract();
        try (RewardDesk desk = desk()) {
            assertThat(desk.request(episodes(2, 2))).hasOnlyElementsOfType(Answer.Failed.class);
        }
        assertThat(totalCalls()).isEqualTo(2 + 2 * 3);
    }

    /** Training cannot use fewer than half of the rewards. */
    @Test
    void anEvaluatorThatOnlyFailsIsNotAskedForEverything() {
        failing = true;
        try (RewardDesk desk = desk()) {
            assertThat(desk.request(episodes(1, 8))).hasSize(8).hasOnlyElementsOfType(Answer.Failed.class);
        }
        assertThat(calls).hasSize(5);
        assertThat(ledger().stream().filter(LedgerEntry::isNotBought)).hasSize(3);
    }

    @Test
    void everyCallThatReachedTheEvaluatorCountsAlsoAfterARestart() {
        attempts = 5;
        Budget ten = Budget.ofEvaluations(10);
        try (RewardDesk desk = desk(Grain.STEP, ten)) {
            assertPaid(desk.request(episodes(1, 1)));
            broken = EvaluationException.temporary("overloaded");
            assertThat(desk.request(episodes(2, 8))).hasOnlyElementsOfType(Answer.Failed.class);
            assertThat(desk.spent()).isEqualTo(spent(1, 0, 9));
        }
        assertThat(totalCalls()).isEqualTo(10);
        try (RewardDesk resumed = desk(Grain.STEP, ten)) {
            assertThat(resumed.request(episodes(2, 8))).hasOnlyElementsOfType(Answer.NotBought.class);
            assertThat(resumed.spent()).isEqualTo(spent(1, 0, 9));
        }
        assertThat(totalCalls()).isEqualTo(10);
    }

    @Test
    void freeFailuresDoNotCount() {
        attempts = 5;
        try (RewardDesk desk = desk(Grain.STEP, Budget.ofEvaluations(3))) {
            for (EvaluationException free : List.of(
                    EvaluationException.temporary("refused").with(EvaluationException.Call.NOT_MADE),
                    EvaluationException.temporary("overloaded").withCost(OptionalDouble.of(0)))) {
                broken = free;
                desk.request(episodes(1, 1));
            }
            assertThat(desk.spent()).isEqualTo(Spent.NOTHING);
            broken = null;
            assertPaid(desk.request(episodes(2, 3)));
        }
        assertThat(totalCalls()).isEqualTo(5 + 3);
    }

    @Test
    void aCallThatTimedOutIsInDoubt() {
        broken = EvaluationException.temporary("no answer within 1s").with(EvaluationException.Call.IN_DOUBT);
        try (RewardDesk desk = desk()) {
            desk.request(episodes(1, 1));
        }
        assertThat(ledger().getFirst().inDoubt()).isOne();
        LedgerReport report = new LedgerReport();
        ledger().forEach(report);
        assertThat(report.all().failedAttempts()).isZero();
        assertThat(report.all().inDoubt()).isOne();
        assertThat(report.all().unanswered()).isOne();
    }

    private static BudgetReached reason(Answer answer) {
        return (BudgetReached) ((Answer.NotBought) answer).reason();
    }

    @Test
    void aBudgetIsUsedUpByTheFirstEpisodesOfARequest() {
        Budget five = new Budget(5, Double.POSITIVE_INFINITY, 0);
        try (RewardDesk desk = desk(Grain.STEP, five)) {
            assertPaid(desk.request(episodes(1, 3)));
            List<Answer> last = desk.request(episodes(2, 3));
            assertPaid(last.subList(0, 2));
            assertThat(reason(last.getLast()).limit()).isEqualTo(BudgetReached.Limit.EVALUATIONS);
            assertThat(calls).hasSize(5);
            // answers in the ledger cost nothing
            assertPaid(desk.request(episodes(1, 3)));
        }
        try (RewardDesk resumed = desk(Grain.STEP, five)) {
            List<Answer> again = resumed.request(episodes(2, 3));
            assertPaid(again.subList(0, 2));
            assertThat(reason(again.getLast())).hasMessageContaining("5 of 5");
            assertThat(resumed.request(episodes(3, 3))).hasOnlyElementsOfType(Answer.NotBought.class);
        }
        try (RewardDesk richer = desk(Grain.STEP, new Budget(6, Double.POSITIVE_INFINITY, 0))) {
            assertPaid(richer.request(episodes(2, 3)));
        }
        assertThat(calls)
                .hasSize(6)
                .allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
    }

    /** The first answer shows what one costs. */
    @Test
    void moneyIsNotExceededWhereThePriceIsNotKnownBefore() {
        price = OptionalDouble.of(1);
        try (RewardDesk desk = desk(Grain.STEP, new Budget(Long.MAX_VALUE, 5, 0))) {
            List<Answer> answers = desk.request(episodes(1, 8));
            assertPaid(answers.subList(0, 5));
            assertThat(answers.subList(5, 8)).hasOnlyElementsOfType(Answer.NotBought.class);
            assertThat(desk.spent()).isEqualTo(spent(5, 5, 0));
        }
    }

    @Test
    void moneyIsCountedAsToldOrAsAgreed() {
        price = OptionalDouble.of(2.5);
        try (RewardDesk desk = desk(Grain.STEP, new Budget(100, 12, 1))) {
            assertPaid(desk.request(episodes(1, 4)));
            // 10 are spent, and one more is expected to cost 2.5
            assertThat(reason(desk.request(episodes(2, 1)).getFirst()))
                    .hasMessageContaining("10 of 12")
                    .extracting(BudgetReached::limit)
                    .isEqualTo(BudgetReached.Limit.COST);
        }
        price = OptionalDouble.empty();
        try (RewardDesk desk = desk(Grain.STEP, new Budget(100, 13, 3))) {
            assertPaid(desk.request(episodes(2, 1)));
        }
        assertThat(ledger().stream().mapToDouble(LedgerEntry::cost).sum()).isEqualTo(13);
    }

    @Test
    void twoRunsThatWantTheSameBuyItOnce() throws Exception {
        slowness = Duration.ofMillis(300);
        try (RewardDesk one = desk();
                RewardDesk other = desk();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<List<Answer>> first = threads.submit(() -> one.request(episodes(1, 6)));
            Future<List<Answer>> second = threads.submit(() -> other.request(episodes(1, 6)));
            assertPaid(first.get());
            assertPaid(second.get());
        }
        assertThat(calls)
                .hasSize(6)
                .allSatisfy((key, count) -> assertThat(count).isEqualTo(1));
    }

    /** Another run may have taken over the evaluation while the owner was slow. */
    @Test
    void aLateAnswerCountsForTheRunThatPaidForIt() {
        meanwhile = () -> takeOver(false);
        assertThatNothingIsLost(spent(1, 0, 0));
        assertThat(ledger().getFirst().id().run()).isEqualTo("run");
    }

    @Test
    void anAnswerThatComesSecondIsPaidForAndNotMissedLater() {
        meanwhile = () -> takeOver(true);
        assertThatNothingIsLost(spent(1, 0, 0));
        assertThat(ledger().getFirst().id().run()).isEqualTo("other");
    }

    private void takeOver(boolean answer) {
        String file = folder.resolve("ledger.db").toString();
        EvaluationId id =
                EvaluationId.of("counting", TASK.id(), "other", episodes(1, 1).getFirst());
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE pgkq_evaluation SET lease_until = 1");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        try (Ledger ledger = Ledger.open(file)) {
            ledger.claim(id);
            if (answer) {
                assertThat(ledger.done(id, Reply.ofSteps(new double[] {1, 1, 1}, 0))
                                .own())
                        .isTrue();
            }
        }
    }

    private void assertThatNothingIsLost(Spent expected) {
        Spent paid;
        Spent lost;
        try (RewardDesk desk = desk()) {
            assertPaid(desk.request(episodes(1, 1)));
            paid = desk.paid();
            lost = desk.lost();
        }
        assertThat(paid.answers().evaluations()).isEqualTo(expected.answers().evaluations());
        try (RewardDesk desk = desk()) {
            desk.resume(paid, lost, false);
            assertThat(desk.paid().answers()).isEqualTo(paid.answers());
        }
    }

    /** Rewards of steps add up to that of an episode; the reverse is impossible, and reported. */
    @Test
    void answersOfAnotherGrainAreAddedUpOrRefused() {
        try (RewardDesk desk = desk(Grain.EPISODE, new Budget(100, 100, 0))) {
            Answer answer = desk.request(episodes(1, 1)).getFirst();
            assertThat(((Answer.Paid) answer).rewards().values()).containsExactly(0, 0, 3);
        }
        told = Grain.EPISODE;
        try (RewardDesk desk = desk()) {
            assertThatThrownBy(() -> desk.request(episodes(2, 1)))
                    .isInstanceOfSatisfying(
                            GrainMismatch.class,
                            mismatch -> assertThat(mismatch.ledger())
                                    .isEqualTo(folder.resolve("ledger.db").toString()))
                    .hasMessageContaining("training expects a reward for every step");
        }
    }

    @Test
    void nobodyIsAskedAfterAnAnswerThatShowsThatNoneCanBeUsed() {
        told = Grain.EPISODE;
        try (RewardDesk desk = desk()) {
            assertThatThrownBy(() -> desk.request(episodes(1, 40))).isInstanceOf(GrainMismatch.class);
        }
        assertThat(calls).hasSize(1);
    }

    /** An evaluator need not be able to say who it is after it was closed. */
    @Test
    void anEvaluatorOfTheWrongGrainIsNamedBeforeItIsClosed() {
        Evaluator whole = new Evaluator() {
            private boolean closed;

            @Override
            public String identity() {
                if (closed) {
                    throw new IllegalStateException("closed");
                }
                return "whole episodes";
            }

            @Override
            public Optional<Grain> grain() {
                return Optional.of(Grain.EPISODE);
            }

            @Override
            public Reply evaluate(Request request) {
                return Reply.ofEpisode(1);
            }

            @Override
            public void close() {
                closed = true;
            }
        };
        assertThatThrownBy(() ->
                        RewardDesk.open(whole, TASK, Grain.STEP, Budget.ofEvaluations(5), folder.resolve("mismatch")))
                .isInstanceOf(GrainMismatch.class)
                .hasMessageContaining("whole episodes");
        assertThatThrownBy(whole::identity).isInstanceOf(IllegalStateException.class);
        assertThat(folder.resolve("mismatch")).doesNotExist();
    }

    private String runIn(Path run) {
        try (RewardDesk desk = RewardDesk.open(new Counting(), TASK, Grain.STEP, Budget.ofEvaluations(5), run)) {
            desk.request(episodes(1, 1));
        }
        List<LedgerEntry> entries = new ArrayList<>();
        Ledger.read(run.resolve(Ledger.FILE).toString(), entries::add);
        return entries.getFirst().id().run();
    }

    @Test
    void foldersOfTheSameNameAreDifferentRuns() throws IOException {
        Path one = folder.resolve("one").resolve("target");
        Path other = folder.resolve("other").resolve("target");
        String run = runIn(one);
        assertThat(run)
                .isEqualTo("target#" + Files.readString(one.resolve("run-id")).strip());
        assertThat(runIn(one)).isEqualTo(run);
        assertThat(runIn(other)).startsWith("target#").isNotEqualTo(run);
        assertThat(RunId.nameOf(one)).isEqualTo(run);
    }

    /** Otherwise its budget would start again. */
    @Test
    void aFolderWithALedgerAndNoIdKeepsItsName() throws IOException {
        Path old = Files.createDirectory(folder.resolve("old"));
        Files.createFile(old.resolve(Ledger.FILE));
        assertThat(RunId.nameOf(old)).isEqualTo("old");
        assertThat(old.resolve("run-id")).doesNotExist();
    }

    /** A process may have been killed before it wrote the id. */
    @Test
    void anEmptyIdIsReplaced() throws IOException {
        Path run = Files.createDirectory(folder.resolve("killed"));
        Files.createFile(run.resolve("run-id"));
        String name = RunId.nameOf(run);
        assertThat(name).matches("killed#[0-9a-f]{12}");
        assertThat(RunId.nameOf(run)).isEqualTo(name);
    }
}
