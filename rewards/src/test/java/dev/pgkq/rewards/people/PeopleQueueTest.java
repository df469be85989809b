package dev.pgkq.rewards.people;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.rewards.people.PeopleQueue.Next;
import dev.pgkq.rewards.people.PeopleQueue.Outcome;
import dev.pgkq.rewards.people.PeopleQueue.Winner;
import dev.pgkq.text.UserException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

class PeopleQueueTest {
    private static final RaterName ANN = new RaterName("Ann");
    private static final RaterName BOB = new RaterName("Bob");
    private static final PeopleSettings SCALE =
            PeopleSettings.defaults(Rating.SCALE, RatingScale.parse("0 bad .. 10 good"));
    private static final PeopleSettings COMPARE = PeopleSettings.defaults(Rating.COMPARE, SCALE.scale());

    @TempDir
    private Path folder = Path.of("");

    private final ManualClock clock = new ManualClock();
    private final List<PeopleQueue> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(PeopleQueue::close);
    }

    private PeopleQueue open(PeopleSettings settings) {
        PeopleQueue queue = PeopleQueue.open(folder, settings, clock);
        opened.add(queue);
        return queue;
    }

    /** The queue as a server opens it, perhaps in another process. */
    private PeopleQueue server() {
        PeopleQueue queue = PeopleQueue.openExisting(folder, clock).orElseThrow();
        opened.add(queue);
        return queue;
    }

    private static List<Question> questions(int iteration, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new Question("k" + iteration + i, iteration, i))
                .toList();
    }

    private static Item shown(Next next) {
        assertThat(next).isInstanceOf(Next.Show.class);
        return ((Next.Show) next).item();
    }

    private static String why(Next next) {
        assertThat(next).isInstanceOf(Next.Wait.class);
        return ((Next.Wait) next).why();
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "Windows has no POSIX permissions")
    void onlyTheOwnerCanReadTheFiles() throws IOException {
        open(SCALE).post(questions(1, 2), true);
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files)
                    .extracting(file -> file.getFileName() + " "
                            + PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .containsExactlyInAnyOrder(
                            "people.db rw-------", "people.db-wal rw-------", "people.db-shm rw-------");
        }
    }

    private void pass(Duration time) {
        clock.pass(time);
    }

    private static Judgement judged(PeopleQueue queue, String key) {
        Outcome outcome = queue.outcomes(List.of(key)).get(key);
        assertThat(outcome).isInstanceOf(Outcome.Judged.class);
        return ((Outcome.Judged) Objects.requireNonNull(outcome)).judgement();
    }

    @Test
    void aWholeIterationFromQuestionsToRewards() {
        PeopleQueue training = open(SCALE);
        training.post(questions(1, 2), true);
        PeopleQueue server = server();

        Item first = shown(server.next(ANN));
        server.rate(ANN, first.key(), 3);
        Item second = shown(server.next(ANN));
        assertThat(second.key()).isNotEqualTo(first.key());
        assertThat(training.closeIfDue()).isFalse();
        server.rate(ANN, second.key(), 8);

        assertThat(why(server.next(ANN))).contains("about to close");
        assertThat(server.status().closesIn()).contains(Duration.ofSeconds(10));
        assertThat(training.closeIfDue()).isFalse();
        pass(Duration.ofSeconds(10));
        assertThat(training.closeIfDue()).isTrue();

        assertThat(judged(training, first.key()).value()).isEqualTo(3);
        assertThat(judged(training, second.key()).value()).isEqualTo(8);
        assertThat(judged(training, second.key()).note()).isEqualTo("rated 8 by Ann");
        assertThat(judged(training, second.key()).error())
                .as("one opinion disagrees with nobody")
                .isNaN();
        assertThat(why(server.next(ANN))).contains("training is running");
    }

    @Test
    void anItemIsWithOneRaterAtATime() {
        open(SCALE).post(questions(1, 2), true);
        PeopleQueue server = server();

        Item ann = shown(server.next(ANN));
        Item bob = shown(server.next(BOB));
        assertThat(ann.key()).isNotEqualTo(bob.key());
        assertThat(why(server.next(new RaterName("Cyd")))).contains("other raters");
        assertThat(shown(server.next(ANN))).as("asking again gives the same").isEqualTo(ann);
    }

    @Test
    void whatIsNotRenewedGoesToAnotherAndTheFirstIsToldSo() {
        open(SCALE).post(questions(1, 1), true);
        PeopleQueue server = server();
        String key = shown(server.next(ANN)).key();

        pass(Duration.ofMinutes(2));
        server.renew(ANN, key);
        pass(Duration.ofMinutes(2));
        assertThat(server.next(BOB)).isInstanceOf(Next.Wait.class);
        pass(Duration.ofMinutes(1));
        assertThat(shown(server.next(BOB)).key()).isEqualTo(key);

        assertThatThrownBy(() -> server.rate(ANN, key, 5))
                .isInstanceOf(RatingRefused.class)
                .hasMessageContaining("another rater");
        assertThatThrownBy(() -> server.renew(ANN, key)).isInstanceOf(RatingRefused.class);
        server.rate(BOB, key, 6);
        assertThatThrownBy(() -> server.rate(ANN, key, 5)).isInstanceOf(RatingRefused.class);
    }

    @Test
    void whatARaterHasRatedIsNotLeasedByALateRenewal() {
        PeopleQueue queue = open(SCALE.withRaters(2));
        queue.post(questions(1, 1), true);
        String key = shown(queue.next(ANN)).key();
        queue.rate(ANN, key, 5);

        queue.renew(ANN, key);
        assertThat(shown(queue.next(BOB)).key())
                .as("there is room for the second")
                .isEqualTo(key);
    }

    @Test
    void onlyWhatIsOrWasTheRatersIsRenewed() {
        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 2), true);
        String first = shown(queue.next(ANN)).key();
        String second = first.equals("k10") ? "k11" : "k10";
        assertThatThrownBy(() -> queue.renew(ANN, second))
                .isInstanceOf(RatingRefused.class)
                .hasMessageContaining("not assigned to you");

        pass(Duration.ofHours(1));
        queue.renew(ANN, first);
        assertThat(shown(queue.next(BOB)).key()).as("the first is Ann's again").isEqualTo(second);
        queue.skip(ANN, first);
        assertThatThrownBy(() -> queue.renew(ANN, first)).isInstanceOf(RatingRefused.class);
    }

    @Test
    void whoOnlyLooksMakesAndChangesNothing() throws IOException {
        assertThat(PeopleQueue.readStatus(folder, clock)).isEmpty();
        assertThat(folder).isEmptyDirectory();
        Files.createFile(PeopleQueue.file(folder));
        assertThat(PeopleQueue.readStatus(folder, clock)).isEmpty();
        assertThat(PeopleQueue.file(folder)).isEmptyFile();

        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 2), true);
        queue.rate(ANN, "k10", 5);
        assertThat(PeopleQueue.readStatus(folder, clock)).contains(queue.status());
    }

    @Test
    void aLeaseThatRanOutAndThatNobodyTookStillAllowsToRate() {
        PeopleQueue training = open(SCALE);
        training.post(questions(1, 1), true);
        String key = shown(training.next(ANN)).key();
        pass(Duration.ofHours(1));

        training.rate(ANN, key, 5);
        assertThat(training.status().rated()).isEqualTo(1);
    }

    @Test
    void severalRatersOfOneEpisodeAreDifferentPeopleAndTheirMeanAndDisagreementAreKept() {
        PeopleQueue training = open(SCALE.withRaters(2));
        training.post(questions(1, 1), true);
        PeopleQueue server = server();
        String key = shown(server.next(ANN)).key();
        server.rate(ANN, key, 4);

        assertThat(why(server.next(ANN))).contains("1 more ratings by other people");
        assertThat(server.status().closesIn()).isEmpty();
        assertThat(shown(server.next(BOB)).key()).isEqualTo(key);
        assertThat(server.next(new RaterName("Cyd"))).as("two are enough").isInstanceOf(Next.Wait.class);
        server.rate(BOB, key, 7);
        pass(Duration.ofSeconds(10));
        assertThat(training.closeIfDue()).isTrue();

        Judgement judgement = judged(training, key);
        assertThat(judgement.value()).isEqualTo(5.5);
        assertThat(judgement.error()).isCloseTo(3 / Math.sqrt(2), within(1e-12));
        assertThat(judgement.note()).isEqualTo("rated 4 by Ann, 7 by Bob; standard deviation 2.12");
    }

    @Test
    void undoTakesBackTheLastRatingUntilTheIterationCloses() {
        PeopleQueue training = open(SCALE);
        training.post(questions(1, 2), true);
        PeopleQueue server = server();
        String first = shown(server.next(ANN)).key();
        server.rate(ANN, first, 1);
        String second = shown(server.next(ANN)).key();
        server.rate(ANN, second, 2);
        pass(Duration.ofSeconds(9));

        assertThat(server.undo(ANN).item().key()).isEqualTo(second);
        pass(Duration.ofSeconds(20));
        assertThat(training.closeIfDue()).as("one is missing").isFalse();
        assertThat(server.undo(ANN).item().key()).isEqualTo(first);
        assertThatThrownBy(() -> server.undo(ANN)).isInstanceOf(RatingRefused.class);
        server.rate(ANN, first, 9);
        server.rate(ANN, second, 10);
        pass(Duration.ofSeconds(9));
        assertThat(training.closeIfDue())
                .as("the time for second thoughts begins anew")
                .isFalse();
        pass(Duration.ofSeconds(1));
        assertThat(training.closeIfDue()).isTrue();

        assertThat(judged(training, first).value()).isEqualTo(9);
        assertThatThrownBy(() -> server.undo(ANN)).hasMessageContaining("closed");
        assertThatThrownBy(() -> server.rate(ANN, first, 3)).hasMessageContaining("closed");
        assertThat(judged(training, first).value()).isEqualTo(9);
    }

    @Test
    void oneRaterCannotTakeBackWhatAnotherSaid() {
        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 1), true);
        queue.rate(ANN, "k10", 5);

        assertThatThrownBy(() -> queue.undo(BOB)).hasMessageContaining("no rating to take back");
        assertThat(queue.status().rated()).isEqualTo(1);
    }

    @Test
    void sayingTheSameTwiceIsSayingItOnceAndSomethingElseNeedsAnUndo() {
        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 2), true);
        queue.rate(ANN, "k10", 5);
        queue.rate(ANN, "k10", 5);

        assertThat(queue.status().raters()).containsExactly(new QueueStatus.Rater("Ann", 1));
        assertThatThrownBy(() -> queue.rate(ANN, "k10", 6)).hasMessageContaining("undo");
    }

    @Test
    void whatIsSkippedComesLast() {
        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 3), true);
        String skipped = shown(queue.next(ANN)).key();
        queue.skip(ANN, skipped);

        for (int i = 0; i < 2; i++) {
            String key = shown(queue.next(ANN)).key();
            assertThat(key).isNotEqualTo(skipped);
            queue.rate(ANN, key, 5);
            pass(Duration.ofSeconds(1));
        }
        assertThat(shown(queue.next(ANN)).key()).isEqualTo(skipped);
    }

    @Test
    void postingAgainAsksNothingTwiceAndWithdrawsWhatIsNotWantedAnyMore() {
        PeopleQueue training = open(SCALE);
        training.post(questions(1, 3), true);
        training.rate(ANN, "k10", 5);
        training.close();

        // The run was killed and resumed; it now requests the first and the second of the three.
        PeopleQueue resumed = open(SCALE);
        resumed.post(questions(1, 2), true);
        assertThat(resumed.status().items()).isEqualTo(2);
        assertThat(resumed.status().rated()).isEqualTo(1);
        assertThat(shown(resumed.next(ANN)).key()).isEqualTo("k11");
        assertThatThrownBy(() -> resumed.rate(ANN, "k12", 5)).isInstanceOf(RatingRefused.class);
        resumed.rate(ANN, "k11", 6);
        pass(Duration.ofSeconds(10));
        assertThat(resumed.closeIfDue()).isTrue();

        resumed.post(questions(1, 2), true);
        assertThat(resumed.status().open()).as("what is closed stays closed").isFalse();
        assertThat(judged(resumed, "k10").value()).isEqualTo(5);
    }

    @Test
    void whenTimeIsUpTheIterationGoesOnWithWhatWasRated() {
        PeopleQueue training = open(SCALE.withRaters(2).withTimeout(Duration.ofHours(1)));
        training.post(questions(1, 2), true);
        training.rate(ANN, "k10", 5);
        pass(Duration.ofMinutes(59));
        assertThat(training.closeIfDue()).isFalse();
        pass(Duration.ofMinutes(1));
        assertThat(training.closeIfDue()).isTrue();

        assertThat(judged(training, "k10").value()).isEqualTo(5);
        assertThat(training.outcomes(List.of("k11"))).isEqualTo(Map.of("k11", new Outcome.Expired()));
        training.post(questions(1, 2), true);
        assertThat(training.status().items())
                .as("a run that goes on asks again")
                .isEqualTo(1);
    }

    @Test
    void numbersOffTheScaleAndOtherKindsOfOpinionsAreRefused() {
        PeopleQueue queue = open(SCALE);
        queue.post(questions(1, 1), true);

        for (double value : new double[] {-1, 11, 0.5, Double.NaN}) {
            assertThatThrownBy(() -> queue.rate(ANN, "k10", value)).hasMessageContaining("from 0 to 10");
        }
        assertThatThrownBy(() -> queue.compare(ANN, "k10", Winner.A)).isInstanceOf(RatingRefused.class);
        assertThatThrownBy(() -> queue.rate(ANN, "nothing", 3)).hasMessageContaining("was never requested");
        assertThat(queue.status().rated()).isZero();
    }

    @Test
    void comparisonsBecomeScoresOnTheScaleOfEarlierOnes() {
        PeopleQueue training = open(COMPARE);
        PeopleQueue server = PeopleQueue.openExisting(folder, clock).orElseThrow();
        opened.add(server);
        double level = Double.NEGATIVE_INFINITY;
        for (int iteration = 1; iteration <= 3; iteration++) {
            List<Question> questions = questions(iteration, 4);
            training.post(questions, true);
            while (server.next(ANN) instanceof Next.Show(Item item, Duration lease)) {
                Item.Place a = item.first();
                Item.Place b = item.second().orElseThrow();
                // Later iterations are better, and within an iteration higher indices.
                int order =
                        100 * Integer.compare(a.iteration(), b.iteration()) + Integer.compare(a.episode(), b.episode());
                server.compare(ANN, item.key(), order > 0 ? Winner.A : order < 0 ? Winner.B : Winner.TIE);
            }
            pass(Duration.ofSeconds(10));
            assertThat(training.closeIfDue()).isTrue();
            List<Judgement> scores = questions.stream()
                    .map(question -> judged(training, question.key()))
                    .toList();
            assertThat(scores.get(3).value()).isGreaterThan(scores.get(0).value());
            assertThat(scores).allSatisfy(score -> {
                assertThat(score.error()).isBetween(0.1, 3.0);
                assertThat(score.note()).contains("from 3 comparisons");
            });
            double mean =
                    scores.stream().mapToDouble(Judgement::value).average().orElseThrow();
            assertThat(mean).isGreaterThan(level);
            level = mean;
        }
        assertThat(server.status().latest()).hasSize(4);
    }

    @Test
    void oneEpisodeWithNothingToCompareItWithIsWorthZeroAndHoldsNobodyUp() {
        PeopleQueue training = open(COMPARE);
        training.post(questions(1, 1), true);
        pass(Duration.ofSeconds(10));

        assertThat(training.closeIfDue()).isTrue();
        assertThat(judged(training, "k10").value()).isZero();
    }

    /** Many raters on separate connections, as fast as possible: exactly k of them rate every item. */
    @Test
    void ratersAtOnceNeverJudgeMoreThanIsWanted() throws Exception {
        PeopleQueue training = open(SCALE.withRaters(2));
        training.post(questions(1, 12), true);
        Map<String, Set<String>> judged = new ConcurrentHashMap<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> raters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                RaterName rater = new RaterName("rater " + i);
                PeopleQueue server = server();
                raters.add(threads.submit(() -> {
                    while (server.status().rated() < 12) {
                        if (server.next(rater) instanceof Next.Show(Item item, Duration lease)) {
                            server.rate(rater, item.key(), 5);
                            judged.computeIfAbsent(item.key(), key -> ConcurrentHashMap.newKeySet())
                                    .add(rater.text());
                        }
                    }
                }));
            }
            for (Future<?> rater : raters) {
                rater.get();
            }
        }
        assertThat(judged).hasSize(12);
        assertThat(judged.values()).allSatisfy(names -> assertThat(names).hasSize(2));
        assertThat(new HashSet<>(judged.keySet()))
                .isEqualTo(new HashSet<>(
                        questions(1, 12).stream().map(Question::key).toList()));
    }

    @Test
    void thereIsNoQueueWhereNobodyIsAskedAndAStrangeFileIsLeftAlone() throws IOException {
        assertThat(PeopleQueue.openExisting(folder, clock)).isEmpty();
        assertThat(folder).isEmptyDirectory();

        Files.writeString(PeopleQueue.file(folder), "not a database, but long enough to look like one".repeat(40));
        assertThatThrownBy(() -> PeopleQueue.openExisting(folder, clock))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("not a database");
    }

    @Test
    void namesArePlainText() {
        assertThat(new RaterName("  Ann   Bo ").text()).isEqualTo("Ann Bo");
        for (String name : List.of("", "  ", "x".repeat(41), "a\u0000b", "a\u202eb", "a\nb", "a\u2028b")) {
            assertThatThrownBy(() -> new RaterName(name)).isInstanceOf(RatingRefused.class);
        }
    }
}
