package dev.pgkq.rewards.advise;

import static dev.pgkq.rewards.advise.TestJudge.batch;
import static dev.pgkq.rewards.advise.TestJudge.names;
import static dev.pgkq.rewards.advise.TestJudge.score;
import static dev.pgkq.rewards.advise.TestJudge.scores;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.pgkq.advise.Adviser;
import dev.pgkq.advise.AdviserSettings;
import dev.pgkq.advise.Ask;
import dev.pgkq.advise.Choice;
import dev.pgkq.advise.Estimates;
import dev.pgkq.advise.Items;
import dev.pgkq.advise.Told;
import dev.pgkq.parallel.Workers;
import dev.pgkq.reward.Grain;
import dev.pgkq.rewards.advise.DurableAdviser.Options;
import dev.pgkq.rewards.desk.Budget;
import dev.pgkq.rewards.ledger.Ledger;
import dev.pgkq.rewards.ledger.LedgerReport;
import dev.pgkq.select.Pace;
import dev.pgkq.text.UserException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableAdviserTest {
    private static final Pace FOUR = new Pace.Fixed(4);

    @TempDir
    private Path folder = Path.of("");

    private final List<String> warnings = new ArrayList<>();
    private Optional<DurableAdviser> running = Optional.empty();

    @AfterEach
    void close() {
        running.ifPresent(DurableAdviser::close);
        running = Optional.empty();
    }

    private Options options() {
        return Options.defaults().withPace(FOUR).withWarnings(warnings::add);
    }

    /** Starts the adviser, or starts it again. */
    private DurableAdviser start(Options options) {
        close();
        DurableAdviser adviser = DurableAdviser.open(folder, options);
        running = Optional.of(adviser);
        return adviser;
    }

    private DurableAdviser start() {
        return start(options());
    }

    private static Report tellAll(DurableAdviser adviser, Items items, Advice advice) {
        return adviser.tell(advice.round(), scores(items, advice), true);
    }

    private static Report round(DurableAdviser adviser, Items items) {
        return tellAll(adviser, items, adviser.ask(Question.of(items)));
    }

    private static void assertSame(Report one, Report other) {
        assertThat(one.estimates()).isPresent();
        Estimates a = one.estimates().orElseThrow();
        Estimates b = other.estimates().orElseThrow();
        assertThat(a.mean()).containsExactly(b.mean());
        assertThat(a.deviation()).containsExactly(b.deviation());
        assertThat(a.corrected()).containsExactly(b.corrected());
    }

    private long answersInLedger() {
        LedgerReport report = new LedgerReport();
        Ledger.read(folder.toString(), report);
        return report.all().answers();
    }

    @Test
    void roundsGiveTheBitsOfTheAdviserInMemory() {
        DurableAdviser adviser = start();
        try (Workers workers = new Workers(1)) {
            Adviser memory = new Adviser(AdviserSettings.of(TestJudge.WIDTH), workers);
            for (int number = 1; number <= 4; number++) {
                Items items = batch(number, 20);
                Advice advice = adviser.ask(Question.of(items));
                Choice choice = memory.ask(items, Ask.of(FOUR, number));
                assertThat(advice.indices()).containsExactly(choice.indices());
                assertThat(advice.weights()).containsExactly(choice.weights());
                assertThat(advice.missing()).isEqualTo(advice.ids()).hasSize(4);

                Report report = tellAll(adviser, items, advice);

                List<Told> told = Arrays.stream(choice.indices())
                        .mapToObj(item -> new Told(item, score(items, item)))
                        .toList();
                Estimates expected = memory.tell(choice, told);
                assertThat(report.complete()).isTrue();
                assertSame(report, new Report(number, true, List.of(), Optional.of(expected)));
            }
        }
        assertThat(adviser.status().spent()).isEqualTo(16);
        assertThat(answersInLedger()).isEqualTo(16);
    }

    @Test
    void startedAgainItGoesOnWithTheSameBits() throws Exception {
        List<Report> uninterrupted = new ArrayList<>();
        DurableAdviser adviser = start();
        for (int number = 1; number <= 20; number++) {
            uninterrupted.add(round(adviser, batch(number, 12)));
        }
        close();
        Path first = folder;
        folder = folder.resolve("again");
        for (int number = 1; number <= 20; number++) {
            Items items = batch(number, 12);
            Advice advice = start().ask(Question.of(items));
            Report report = tellAll(start(), items, advice);
            assertSame(report, uninterrupted.get(number - 1));
            assertSame(start().estimates(number), uninterrupted.get(number - 1));
            if (number % 7 == 3) {
                close();
                deleteCheckpoints();
            }
        }
        folder = first;
        assertThat(warnings).isEmpty();
    }

    private void deleteCheckpoints() throws Exception {
        try (Stream<Path> files = Files.list(folder.resolve("checkpoint"))) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
    }

    @Test
    void aDamagedCheckpointIsPassedOverAndGivesTheSameBits() throws Exception {
        List<Report> reports = new ArrayList<>();
        DurableAdviser adviser = start();
        for (int number = 1; number <= 3; number++) {
            reports.add(round(adviser, batch(number, 12)));
        }
        Items items = batch(4, 12);
        Advice advice = adviser.ask(Question.of(items));
        close();
        try (Stream<Path> files = Files.list(folder.resolve("checkpoint"))) {
            for (Path file : files.toList()) {
                byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length - 5] ^= 1;
                Files.write(file, bytes);
            }
        }

        Report damaged = tellAll(start(), items, advice);

        assertThat(warnings)
                .isNotEmpty()
                .allSatisfy(warning -> assertThat(warning).contains("the checksum does not match", "computed again"));
        folder = folder.resolve("other");
        for (int number = 1; number <= 3; number++) {
            assertSame(round(start(), batch(number, 12)), reports.get(number - 1));
        }
        assertSame(damaged, round(start(), items));
    }

    @Test
    void whoAsksAgainGetsTheSameRoundWithWhatIsInDoubt() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice first = adviser.ask(Question.of(items));
        assertThat(first.resumed()).isFalse();
        assertThat(first.inDoubt()).isEmpty();
        String scored = first.ids().get(1);
        adviser.tell(1, Map.of(scored, Score.of(0.5)), false);

        Advice again = adviser.ask(Question.of(items));

        assertThat(again.round()).isEqualTo(1);
        assertThat(again.resumed()).isTrue();
        assertThat(again.indices()).containsExactly(first.indices());
        assertThat(again.inDoubt()).isEqualTo(again.missing()).hasSize(3).doesNotContain(scored);
        assertThat(again.spent()).isEqualTo(4 + 3);
        assertThat(start().status().spent()).isEqualTo(7);
        assertThat(start().ask(Question.of(items)).spent()).isEqualTo(10);
    }

    @Test
    void aRoundWithAllScoresIsNotResumed() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        round(adviser, items);

        Advice next = adviser.ask(Question.of(items));

        assertThat(next.round()).isEqualTo(2);
        assertThat(next.resumed()).isFalse();
        assertThat(next.owned()).hasSize(4);
        assertThat(next.owned().keySet()).doesNotContainAnyElementsOf(next.ids());
    }

    @Test
    void scoresComeOneByOneAndRepeatedly() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(items));
        for (int i = 0; i < 4; i++) {
            String id = advice.ids().get(i);
            Score score = Score.of(score(items, advice.indices()[i]));
            for (int repeat = 0; repeat < 2; repeat++) {
                Report report = adviser.tell(1, Map.of(id, score), true);
                assertThat(report.complete()).isEqualTo(i == 3);
                assertThat(report.missing()).isEqualTo(advice.ids().subList(i + 1, 4));
                assertThat(report.estimates().orElseThrow().mean()).hasSize(20);
            }
        }
        Report oneByOne = adviser.estimates(1);
        folder = folder.resolve("other");

        assertSame(oneByOne, round(start(), items));
    }

    /** They take time, so they are computed again only if something has changed. */
    @Test
    void estimatesOfARoundThatMissesScoresAreKeptUntilSomethingChanges() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice first = adviser.ask(Question.of(items));
        Advice second = adviser.ask(Question.of(batch(2, 20)));
        List<Runnable> changes = List.of(
                () -> adviser.tell(1, Map.of(first.ids().get(0), Score.of(0.5)), false),
                () -> adviser.tell(1, Map.of(first.ids().get(1), Score.of(0.7)), false),
                () -> tellAll(adviser, batch(2, 20), second),
                () -> adviser.abandon(1, first.ids().subList(2, 3), false, true));
        List<Estimates> all = new ArrayList<>();
        for (Runnable change : changes) {
            change.run();
            Estimates now = adviser.estimates(1).estimates().orElseThrow();
            assertThat(adviser.estimates(1).estimates()).containsSame(now);
            assertThat(adviser.tell(1, Map.of(first.ids().get(0), Score.of(0.5)), true)
                            .estimates())
                    .containsSame(now);
            // the last change is in the corrected ones only
            assertThat(all)
                    .noneMatch(each ->
                            Arrays.equals(each.mean(), now.mean()) && Arrays.equals(each.corrected(), now.corrected()));
            all.add(now);
        }
        assertSame(start().estimates(1), new Report(1, false, List.of(), Optional.of(all.getLast())));
    }

    @Test
    void anotherScoreForTheSameItemIsRefusedAndTheFirstCounts() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(items));
        adviser.tell(1, Map.of(advice.ids().get(0), Score.of(1)), false);

        assertThatThrownBy(() -> adviser.tell(
                        1, Map.of(advice.ids().get(1), Score.of(2), advice.ids().get(0), Score.of(3)), false))
                .isInstanceOfSatisfying(
                        AdviceRefused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.CONFLICT))
                .hasMessageContaining("is recorded as [1.0]")
                .hasMessageContaining("nothing was changed");

        assertThat(adviser.round(1).missing()).isEqualTo(advice.ids().subList(1, 4));
    }

    @Test
    void whatTheCallerOwnsIsLearnedAndNeverHandedOut() {
        Items items = batch(1, 8);
        List<String> names = names(1, 8);
        DurableAdviser adviser = start();
        Map<String, Score> owned =
                Map.of(names.get(2), Score.of(score(items, 2)), names.get(5), Score.of(score(items, 5)));

        Advice advice =
                adviser.ask(Question.of(items).withIds(names).withOwned(owned).withPace(new Pace.Fixed(100)));

        assertThat(advice.ids()).hasSize(6).doesNotContain(names.get(2), names.get(5));
        assertThat(advice.owned().keySet()).containsExactlyInAnyOrder(names.get(2), names.get(5));
        assertThat(advice.spent()).isEqualTo(6);
        assertThat(adviser.status().lessons()).isEqualTo(1);
        assertThat(start().status().spent()).isEqualTo(6);
        assertThat(answersInLedger()).isEqualTo(2);
    }

    /** A client that died before it told its scores may have gone on scoring. */
    @Test
    void aRoundThatWhatTheCallerOwnsCompletesIsLearnedOnce() {
        Items items = batch(1, 20);
        List<String> names = names(1, 20);
        Question question = Question.of(items).withIds(names);
        List<Report> reports = new ArrayList<>();
        for (boolean owned : new boolean[] {false, true}) {
            folder = folder.resolve("owned " + owned);
            DurableAdviser adviser = start();
            Advice advice = adviser.ask(question);
            Map<String, Score> scores = scores(items, advice);
            if (owned) {
                Advice closed = adviser.ask(question.withOwned(scores));
                assertThat(closed.round()).isEqualTo(1);
                assertThat(closed.resumed()).isTrue();
                assertThat(closed.open()).isFalse();
                assertThat(closed.missing()).isEmpty();
                assertThat(closed.spent()).isEqualTo(4);
            } else {
                adviser.tell(1, scores, true);
            }
            assertThat(adviser.status().lessons()).isEqualTo(1);
            reports.add(adviser.estimates(1));
            // what the model has learned
            reports.add(round(adviser, batch(2, 20)));
        }
        assertSame(reports.get(2), reports.get(0));
        assertSame(reports.get(3), reports.get(1));
    }

    @Test
    void whatAnOpenRoundAsksForIsNotHandedOutByAnother() {
        Items items = batch(1, 8);
        DurableAdviser adviser = start();
        Advice first = adviser.ask(Question.of(items).withIds(names(1, 8)));

        Advice second =
                adviser.ask(Question.of(batch(2, 8)).withIds(names(1, 8)).withPace(new Pace.Fixed(8)));

        assertThat(second.ids()).hasSize(4).doesNotContainAnyElementsOf(first.ids());
    }

    @Test
    void itemsWithTheSameFeaturesAreItemsOfTheirOwn() {
        float[] features = batch(1, 2).features();
        float[] twice = Arrays.copyOf(features, 2 * features.length);
        System.arraycopy(features, 0, twice, features.length, features.length);

        Advice advice =
                start().ask(Question.of(Items.points(TestJudge.WIDTH, twice)).withPace(new Pace.Fixed(4)));

        assertThat(advice.ids()).doesNotHaveDuplicates().hasSize(4);
        assertThat(advice.ids()).filteredOn(id -> id.endsWith("-2")).hasSize(2);
    }

    @Test
    void stepsHaveScoresOfTheirOwn() {
        float[] features = batch(1, 30).features();
        int[] starts = {0, 3, 4, 10, 15, 22, 30};
        Items items = new Items(starts, features, TestJudge.WIDTH, new float[0], 0);
        DurableAdviser adviser = start(options().withGrain(Grain.STEP).withPace(new Pace.Fixed(2)));
        Advice advice = adviser.ask(Question.of(items));
        for (int i = 0; i < 2; i++) {
            double[] values = new double[items.length(advice.indices()[i])];
            Arrays.setAll(values, t -> t + 0.5);
            String id = advice.ids().get(i);
            assertThatThrownBy(() -> adviser.tell(
                            1, Map.of(id, new Score(new double[values.length + 1], OptionalDouble.empty())), false))
                    .isInstanceOf(AdviceRefused.class)
                    .hasMessageContaining("one for each step");
            adviser.tell(1, Map.of(id, new Score(values, OptionalDouble.of(0.25))), false);
        }
        assertThat(adviser.estimates(1).complete()).isTrue();
        assertThatThrownBy(() -> start(options().withGrain(Grain.EPISODE)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("a score for each step");
    }

    @Test
    void theBudgetIsThatOfHandOutsAndTheLastRoundGetsWhatIsLeft() {
        Options six = options().withMaxEvaluations(6);
        DurableAdviser adviser = start(six);
        assertThat(adviser.ask(Question.of(batch(1, 20))).left()).isEqualTo(2);
        assertThat(adviser.ask(Question.of(batch(2, 20))).indices()).hasSize(2);

        for (int again = 0; again < 2; again++) {
            int number = 1 + again;
            assertThatThrownBy(() -> start(six).ask(Question.of(batch(number, 20))))
                    .isInstanceOfSatisfying(
                            AdviceRefused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.BUDGET))
                    .hasMessageContaining("6 of 6 evaluations were handed out");
        }
        assertThatThrownBy(() -> start(six).ask(Question.of(batch(3, 20))))
                .isInstanceOf(AdviceRefused.class)
                .hasMessageContaining("select 0");
        Items items = batch(1, 20);
        Advice first = start(six).round(1);
        assertThat(start(six).tell(1, scores(items, first), true).complete()).isTrue();
        Advice none = start(six).ask(Question.of(batch(4, 20)).withPace(AdviserSettings.auto(0)));
        assertThat(none.indices()).isEmpty();
        assertThat(start(six).estimates(none.round()).complete()).isTrue();
        assertThat(start(options().withMaxEvaluations(7))
                        .ask(Question.of(batch(3, 20)))
                        .indices())
                .hasSize(1);
    }

    /** A score costs 0.5 unless it says so; the most expensive one so far is what the next is expected to cost. */
    @Test
    void theLimitOfTheCostLeavesRoomForWhatIsOutAndExpectsTheHighestPrice() {
        Options three = options().withBudget(new Budget(Long.MAX_VALUE, 3, 0.5));
        DurableAdviser adviser = start(three);
        Items items = batch(1, 20);
        Advice first = adviser.ask(Question.of(items));
        assertThat(first.left()).as("6 scores at 0.5, 4 of them out").isEqualTo(2);
        Map<String, Score> scores = new LinkedHashMap<>();
        first.ids().forEach(id -> scores.put(id, Score.of(1)));
        scores.put(first.ids().get(0), new Score(new double[] {1}, OptionalDouble.of(0.75)));

        for (int again = 0; again < 2; again++) {
            adviser.tell(1, scores, false);
            assertThat(adviser.status().cost()).isEqualByComparingTo("2.25");
            assertThat(adviser.status().left()).as("0.75 at 0.75").isEqualTo(1);
        }

        Advice last = start(three).ask(Question.of(batch(2, 20)));
        assertThat(last.indices()).hasSize(1);
        assertThatThrownBy(() -> start(three).ask(Question.of(batch(3, 20))))
                .isInstanceOfSatisfying(
                        AdviceRefused.class,
                        refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.BUDGET))
                .hasMessageContaining(
                        "scores have cost 2.25 of 3, 1 is not known yet, and one more is expected to cost 0.75");
        tellAll(start(three), batch(2, 20), last);
        assertThat(start(three).status().cost()).isEqualByComparingTo("2.75");
        assertThat(start(three).status().left()).isZero();
        assertThat(start(options()).status().left()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void whatTheCallerOwnsCostsNothing() {
        DurableAdviser adviser = start(options().withBudget(new Budget(Long.MAX_VALUE, 3, 0.5)));
        List<String> names = names(1, 8);

        adviser.ask(Question.of(batch(1, 8)).withIds(names).withOwned(Map.of(names.get(2), Score.of(4))));

        assertThat(adviser.status().cost()).isZero();
        assertThat(adviser.status().left()).isEqualTo(2);
    }

    /** A client that was killed does not know whether its last scores arrived. */
    @Test
    void aRoundThatIsAskedForByItsNumberIsTheSameAlsoWhenItHasAllItsScores() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice first = adviser.ask(Question.of(items).withRound(1));
        assertThat(first.resumed()).isFalse();
        Advice again = adviser.ask(Question.of(items).withRound(1));
        assertThat(again.resumed()).isTrue();
        assertThat(again.inDoubt()).isEqualTo(first.ids());
        assertThat(again.spent()).isEqualTo(8);
        tellAll(adviser, items, again);

        Advice closed = adviser.ask(Question.of(items).withRound(1));

        assertThat(closed.round()).isEqualTo(1);
        assertThat(closed.indices()).containsExactly(first.indices());
        assertThat(closed.missing()).isEmpty();
        assertThat(closed.inDoubt()).isEmpty();
        assertThat(closed.open()).isFalse();
        assertThat(closed.resumed()).isTrue();
        assertThat(closed.spent()).isEqualTo(8);
        assertThat(adviser.ask(Question.of(items).withRound(2)).round()).isEqualTo(2);
        for (Question question : List.of(
                Question.of(batch(2, 20)).withRound(1),
                Question.of(items).withRound(1).withJudge("critic"))) {
            assertThatThrownBy(() -> adviser.ask(question))
                    .isInstanceOfSatisfying(
                            AdviceRefused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.CONFLICT))
                    .hasMessageContaining("round 1 was about other items");
        }
        assertThatThrownBy(() -> adviser.ask(Question.of(items).withRound(7)))
                .isInstanceOf(AdviceRefused.class)
                .hasMessageContaining("the next round is 3, not 7");
        assertThat(adviser.status().spent()).isEqualTo(12);
    }

    private static void assertSameAnswer(Advice one, Advice other) {
        assertThat(one)
                .usingRecursiveComparison()
                .withEqualsForType(Double::equals, Double.class) // NaN equals itself
                .isEqualTo(other);
    }

    /** A client that hears no answer asks again, perhaps the next process, perhaps after others have asked the same. */
    @Test
    void aRequestThatIsRepeatedHasTheSameAnswerAndHandsNothingOut() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Question first = Question.of(items).withRequest("first");
        Question second = Question.of(items).withRequest("second");
        Advice begun = adviser.ask(first);
        assertThat(begun.spent()).isEqualTo(4);
        assertSameAnswer(adviser.ask(first), begun);
        assertSameAnswer(start().ask(first), begun);
        adviser = start();

        Advice resumed = adviser.ask(second);
        assertThat(resumed.resumed()).isTrue();
        assertThat(resumed.inDoubt()).isEqualTo(begun.ids());
        assertThat(resumed.spent()).isEqualTo(8);
        assertSameAnswer(adviser.ask(second), resumed);
        assertSameAnswer(start().ask(second), resumed);
        assertThat(start().ask(first).spent()).isEqualTo(8);
        adviser = start();

        tellAll(adviser, items, begun);
        for (Question question : List.of(first, second)) {
            Advice closed = adviser.ask(question);
            assertThat(closed.round()).isEqualTo(1);
            assertThat(closed.open()).isFalse();
            assertThat(closed.spent()).isEqualTo(8);
        }
        assertThat(adviser.ask(Question.of(items).withRequest("third")).round()).isEqualTo(2);
    }

    @Test
    void aRequestIsOneQuestionOnly() {
        DurableAdviser adviser = start();
        Question question = Question.of(batch(1, 20)).withRequest("one");
        adviser.ask(question);
        for (Question other : List.of(
                Question.of(batch(2, 20)).withRequest("one"), question.withJudge("critic"), question.withRound(2))) {
            assertThatThrownBy(() -> adviser.ask(other))
                    .isInstanceOfSatisfying(
                            AdviceRefused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.CONFLICT))
                    .hasMessageContaining("'one' was another question, which round 1 answered");
        }
        assertThat(adviser.ask(question.withRound(1)).spent()).isEqualTo(4);
        for (String name : List.of(" ", "x".repeat(201))) {
            assertThatThrownBy(() -> adviser.ask(question.withRequest(name)))
                    .isInstanceOf(AdviceRefused.class)
                    .hasMessageContaining("the name of a request must have 1 to 200 characters");
        }
        assertThat(adviser.status().spent()).isEqualTo(4);
    }

    /** More items may have scores by then, which would be another question. */
    @Test
    void aSecondJudgeIsNotAskedTwiceByTheSameRequest() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(items));
        adviser.tell(1, Map.of(advice.ids().get(0), Score.of(1)), false);
        Advice second = adviser.rescore(1, "critic", Optional.empty(), Optional.of("once"));
        assertThat(second.spent()).isEqualTo(5);
        adviser.tell(1, Map.of(advice.ids().get(1), Score.of(2)), false);

        assertSameAnswer(adviser.rescore(1, "critic", Optional.empty(), Optional.of("once")), second);
        assertThatThrownBy(() -> adviser.rescore(1, "other", Optional.empty(), Optional.of("once")))
                .isInstanceOf(AdviceRefused.class)
                .hasMessageContaining("another question");
        assertThat(adviser.status().spent()).isEqualTo(5);
    }

    /** A round about the same items for the same judge is the answer, whoever asked for it first. */
    @Test
    void aSecondJudgeWhoWasAskedOtherwiseIsNotAskedTwiceByTheSameRequest() {
        Items items = batch(1, 4);
        DurableAdviser adviser = start();
        Question question = Question.of(items).withIds(names(1, 4));
        tellAll(adviser, items, adviser.ask(question));
        Advice open = adviser.ask(question.withJudge("critic"));

        Advice resumed = adviser.rescore(1, "critic", Optional.empty(), Optional.of("once"));

        assertThat(resumed.round()).isEqualTo(open.round());
        assertThat(resumed.resumed()).isTrue();
        assertThat(resumed.source()).isZero();
        assertThat(resumed.spent()).isEqualTo(12);
        assertSameAnswer(adviser.rescore(1, "critic", Optional.empty(), Optional.of("once")), resumed);
        assertThatThrownBy(() -> adviser.rescore(1, "other", Optional.empty(), Optional.of("once")))
                .isInstanceOf(AdviceRefused.class)
                .hasMessageContaining("another question");
    }

    /**
     * Round 1 hands these items out, all of which are abandoned, and round 2 asks for four of them, but the ledger is older than it, as
     * if the process had died in between.
     */
    private Question couldNotBeHandedOut(int size) throws Exception {
        List<String> names = names(1, size);
        DurableAdviser adviser = start();
        adviser.ask(Question.of(batch(1, size)).withIds(names).withPace(new Pace.Fixed(size)));
        adviser.abandon(1, names, false, false);
        close();
        Path ledger = folder.resolve(Ledger.FILE);
        Path earlier = folder.resolve("earlier");
        Files.copy(ledger, earlier);
        Question question = Question.of(batch(2, size)).withIds(names).withRequest("again");
        assertThat(start().ask(question).spent()).isEqualTo(size + 4);
        close();
        Files.move(earlier, ledger, StandardCopyOption.REPLACE_EXISTING);
        adviser = start();
        assertThat(adviser.status().open()).containsExactly(2);
        assertThat(adviser.status().spent()).isEqualTo(size);
        return question;
    }

    @Test
    void whatARequestCouldNotHandOutIsHandedOutWhenItIsRepeated() throws Exception {
        Question question = couldNotBeHandedOut(4);
        DurableAdviser adviser = start();
        assertThat(adviser.ask(question).spent()).isEqualTo(8);
        assertThat(adviser.ask(question).spent()).isEqualTo(8);
    }

    /** Others may have spent what was left. */
    @Test
    void whatARequestCouldNotHandOutIsHandedOutWithinTheBudgetOnly() throws Exception {
        Question question = couldNotBeHandedOut(4);
        start(options().withMaxEvaluations(8)).ask(Question.of(batch(3, 20)));
        for (Budget eight : List.of(Budget.ofEvaluations(8), new Budget(Long.MAX_VALUE, 4, 0.5))) {
            DurableAdviser adviser = start(options().withBudget(eight));
            for (Runnable call : List.<Runnable>of(
                    () -> adviser.ask(question),
                    () -> adviser.abandon(2, adviser.round(2).ids().subList(0, 1), false, false))) {
                assertThatThrownBy(call::run)
                        .isInstanceOfSatisfying(
                                AdviceRefused.class,
                                refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.BUDGET))
                        .hasMessageContaining("the budget is spent")
                        .hasMessageContaining("round 2 misses");
            }
            assertThat(adviser.status().spent()).isEqualTo(8);
            assertThat(adviser.round(2).abandoned()).isEmpty();
        }
        assertThat(start(options().withMaxEvaluations(12)).ask(question).spent())
                .isEqualTo(12);
    }

    @Test
    void whatCouldNotBeHandedOutCanBeAbandonedWhenTheBudgetIsSpent() throws Exception {
        Question question = couldNotBeHandedOut(4);
        DurableAdviser adviser = start(options().withMaxEvaluations(4));

        Advice abandoned = adviser.abandon(2, question.ids(), false, false);

        assertThat(abandoned.ids()).isEmpty();
        assertThat(abandoned.spent()).isEqualTo(4);
        assertThat(adviser.status().open()).isEmpty();
    }

    @Test
    void replacementsLeaveRoomForWhatCouldNotBeHandedOut() throws Exception {
        couldNotBeHandedOut(12);
        DurableAdviser adviser = start(options().withMaxEvaluations(15));
        List<String> ids = adviser.round(2).ids();

        Advice replaced = adviser.abandon(2, ids.subList(0, 1), false, true);

        assertThat(replaced.ids()).containsExactlyInAnyOrderElementsOf(ids.subList(1, 4));
        assertThat(replaced.spent()).isEqualTo(15);
    }

    @Test
    void abandonedItemsLeaveTheChoiceAndTheirScoresStillCountIfTheyCome() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(items));
        List<String> gone = advice.ids().subList(0, 2);

        Advice without = adviser.abandon(1, gone, false, false);

        assertThat(without.ids())
                .containsExactlyInAnyOrderElementsOf(advice.ids().subList(2, 4));
        assertThat(Arrays.stream(without.weights()).sum()).isCloseTo(1, within(1e-9));
        assertThat(without.abandoned()).isEqualTo(gone);
        assertThat(without.spent()).isEqualTo(4);
        Report report = tellAll(adviser, items, without);
        assertThat(report.complete()).isTrue();
        assertThat(adviser.status().lessons()).isEqualTo(1);

        Map<String, Score> late = Map.of(gone.getFirst(), Score.of(score(items, advice.indices()[0])));
        for (int repeat = 0; repeat < 2; repeat++) {
            assertSame(adviser.tell(1, late, true), report);
            assertThat(adviser.status().lessons()).isEqualTo(2);
        }
        assertThat(adviser.status().spent()).isEqualTo(4);
        assertThat(start().status().spent()).isEqualTo(4);
        assertThat(answersInLedger()).isEqualTo(3);
        Report next = round(start(), batch(2, 20));
        close();
        assertThat(next.complete()).isTrue();
    }

    @Test
    void abandonedItemsAreReplacedWithinTheBudget() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start(options().withMaxEvaluations(5));
        Advice advice = adviser.ask(Question.of(items));

        Advice replaced = adviser.abandon(1, advice.ids().subList(0, 2), false, true);
        assertThat(replaced.ids()).hasSize(3).containsAll(advice.ids().subList(2, 4));
        assertThat(replaced.spent()).isEqualTo(5);

        Advice free = adviser.abandon(1, replaced.ids().subList(0, 2), true, true);
        assertThat(free.ids()).hasSize(3);
        assertThat(free.spent()).isEqualTo(5);
        assertThat(free.abandoned()).hasSize(4);
        assertThat(tellAll(adviser, items, free).complete()).isTrue();
    }

    @Test
    void aRoundOfWhichEverythingIsAbandonedIsClosed() {
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(batch(1, 20)));

        Advice closed = adviser.abandon(1, advice.ids(), true, false);

        assertThat(closed.abandoned()).isEqualTo(advice.ids());
        assertThat(adviser.status().open()).isEmpty();
        assertThat(adviser.status().spent()).isZero();
        assertThat(adviser.estimates(1).complete()).isTrue();
        assertSameAnswer(adviser.abandon(1, advice.ids(), true, false), closed);
        assertSameAnswer(adviser.abandon(1, advice.ids().subList(1, 2), true, false), closed);
        assertThat(adviser.status().lessons()).isEqualTo(1);
    }

    @Test
    void whatHasAScoreIsNotAbandoned() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Advice advice = adviser.ask(Question.of(items));
        List<String> ids = advice.ids();
        adviser.abandon(1, ids.subList(0, 1), false, false);
        tellAll(adviser, items, adviser.round(1));

        for (List<String> other : List.of(ids, ids.subList(1, 2), List.of("nobody"))) {
            assertThatThrownBy(() -> adviser.abandon(1, other, false, false))
                    .isInstanceOfSatisfying(
                            AdviceRefused.class,
                            refused -> assertThat(refused.reason()).isEqualTo(AdviceRefused.Reason.CONFLICT))
                    .hasMessageContaining("nothing to abandon");
        }
        assertThat(adviser.abandon(1, ids.subList(0, 1), false, false).abandoned())
                .isEqualTo(ids.subList(0, 1));
    }

    @Test
    void aSecondJudgeScoresTheSameItemsApart() {
        Items items = batch(1, 20);
        DurableAdviser adviser = start();
        Report first = round(adviser, items);

        Advice second = adviser.rescore(1, "critic", Optional.empty(), Optional.empty());

        assertThat(second.judge()).isEqualTo("critic");
        assertThat(second.source()).isEqualTo(1);
        assertThat(second.ids())
                .containsExactlyInAnyOrderElementsOf(adviser.round(1).ids());
        assertThat(second.spent()).isEqualTo(8);
        adviser.tell(
                second.round(),
                second.ids().stream().map(id -> Optional.of(Score.of(7))).toList(),
                true);
        assertSame(adviser.estimates(1), first);
        assertThat(answersInLedger()).isEqualTo(8);
        Advice again = adviser.rescore(1, "critic", Optional.empty(), Optional.empty());
        assertThat(again.indices()).isEmpty();
        assertThat(again.owned()).hasSize(4);
        assertThat(again.owned().values()).containsOnly(new double[] {7});
    }

    @Test
    void onlyOneHasTheFolder() {
        start();
        assertThatThrownBy(() -> DurableAdviser.open(folder, options()))
                .isInstanceOf(FolderTaken.class)
                .hasMessageContaining("another process uses " + folder);
    }

    @Test
    void anotherSeedIsRefused() {
        start(options().withSeed(3));
        assertThatThrownBy(() -> start(options().withSeed(4)))
                .isInstanceOf(UserException.class)
                .hasMessageContaining("has the seed 3");
        start();
    }
}
